"""Formats of this language."""

DATETIME_FORMAT = "j F Y, H:i T"
