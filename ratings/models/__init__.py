"""Database models: standard games and plays, ratings, matchmaking, clubs."""

from ratings.models.clubs import Club, ClubTable, Membership
from ratings.models.games import Attempt, Play, StandardGame
from ratings.models.nights import ClubNight, Entrant, NightGame, NightTable
from ratings.models.people import Device, Leaving, LinkedAccount, Lock, NetworkUse, Ticket
from ratings.models.scores import Rating, RatingChange, Record

__all__ = [
    "Attempt",
    "Club",
    "ClubNight",
    "ClubTable",
    "Device",
    "Entrant",
    "Leaving",
    "LinkedAccount",
    "Lock",
    "Membership",
    "NetworkUse",
    "NightGame",
    "NightTable",
    "Play",
    "Rating",
    "RatingChange",
    "Record",
    "StandardGame",
    "Ticket",
]
