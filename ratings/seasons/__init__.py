"""Seasons of ranked play: the months and years, their standings and their titles."""
