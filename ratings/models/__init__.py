"""What is stored: standard games and their plays, ratings and why they moved, who waits."""

from ratings.models.games import Attempt, Play, StandardGame
from ratings.models.people import Device, Leaving, LinkedAccount, Lock, Ticket
from ratings.models.scores import Rating, RatingChange, Record

__all__ = [
    "Attempt",
    "Device",
    "Leaving",
    "LinkedAccount",
    "Lock",
    "Play",
    "Rating",
    "RatingChange",
    "Record",
    "StandardGame",
    "Ticket",
]
