"""Benchmarks of the rating model against its goals G1-G9."""
