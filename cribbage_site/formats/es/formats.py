"""Formats of this language."""

DATETIME_FORMAT = r"j \d\e F \d\e Y, H:i T"
