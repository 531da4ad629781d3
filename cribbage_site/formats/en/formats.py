"""Formats of this language."""

DATE_FORMAT = "M j, Y"
DATETIME_FORMAT = "j F Y, H:i T"
