"""The rating model: pure numerics on columns of results. No Django, no clock, no randomness."""
