"""Formats of this language: the same form of a date everywhere, as scripts write it."""

SHORT_DATE_FORMAT = "j. F Y"
DATETIME_FORMAT = "j. F Y, H:i T"
