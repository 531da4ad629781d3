"""Exact endgames for two seats: a solver, a suite of solved positions, and what computers lose."""
