"""Exact endgames for two seats: a suite of solved positions, and what computers lose in them."""
