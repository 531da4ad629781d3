"""Helpers for tests and benchmarks; contains no tests."""
