"""Tournaments: formats, pairing, scoring, and their way from planning to titles."""
