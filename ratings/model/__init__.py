"""The rating model: pure numerics over columns of results. No Django, no clock, no chance."""
