"""Tournaments: formats, pairing, scoring, and every step from planning to titles."""
