"""Benchmarks of tournaments: a large event, and which format finds the best player."""
