"""Formats of this language: the same form of a date everywhere, as scripts write it."""

DATE_FORMAT = "M j, Y"
SHORT_DATE_FORMAT = "M j, Y"
MONTH_DAY_FORMAT = "M j"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "M j, Y, H:i T"
