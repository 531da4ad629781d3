"""Formats of this language: the same form of a date everywhere, as scripts write it."""

SHORT_DATE_FORMAT = r"j \d\e F \d\e Y"
DATETIME_FORMAT = r"j \d\e F \d\e Y, H:i T"
