"""Formats of dates and times that differ from Django's: a time names its zone, which is UTC."""
