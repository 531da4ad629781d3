"""Clubs and club nights."""
