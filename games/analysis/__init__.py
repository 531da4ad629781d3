"""Analysis: what throws, plays and scores are worth. Pure: no clock, no chance, no Django."""
