"""Database models: standard games and plays, ratings, matchmaking, seasons, clubs, tournaments."""

from ratings.models.clubs import BarredPlayer, Club, ClubPost, ClubTable, Membership
from ratings.models.events import (
    Event,
    EventCorrection,
    EventEntrant,
    EventGame,
    EventRound,
    EventTable,
)
from ratings.models.games import Attempt, Play, StandardGame
from ratings.models.nights import (
    ClubLeague,
    ClubNight,
    Entrant,
    LeagueTitle,
    NightGame,
    NightResult,
    NightTable,
)
from ratings.models.people import (
    Device,
    Leaving,
    LinkedAccount,
    Lock,
    NetworkUse,
    SeparateAccounts,
    Ticket,
)
from ratings.models.scores import Rating, RatingChange, Record
from ratings.models.seasons import Season, SeasonEntry
from ratings.models.team_leagues import (
    Fixture,
    FixtureCorrection,
    LeagueTeam,
    TeamLeague,
    TeamPlayer,
)

__all__ = [
    "Attempt",
    "BarredPlayer",
    "Club",
    "ClubLeague",
    "ClubNight",
    "ClubPost",
    "ClubTable",
    "Device",
    "Entrant",
    "Event",
    "EventCorrection",
    "EventEntrant",
    "EventGame",
    "EventRound",
    "EventTable",
    "Fixture",
    "FixtureCorrection",
    "LeagueTeam",
    "LeagueTitle",
    "Leaving",
    "LinkedAccount",
    "Lock",
    "Membership",
    "NetworkUse",
    "NightGame",
    "NightResult",
    "NightTable",
    "Play",
    "Rating",
    "RatingChange",
    "Record",
    "Season",
    "SeasonEntry",
    "SeparateAccounts",
    "StandardGame",
    "TeamLeague",
    "TeamPlayer",
    "Ticket",
]
