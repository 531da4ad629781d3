"""Database models: players, matches with their seats, the log of moves, and its summaries.

The log is the source of truth; a Hand is a summary that saves pages from folding the log.
"""

from games.models.chat import ChatLine, Mute
from games.models.decks import Decks
from games.models.friends import Block, Friendship, TableInvitation
from games.models.hands import Hand, HandSeat
from games.models.jobs import JobCount, Worker
from games.models.mails import QueuedMail
from games.models.matches import Match, Seat
from games.models.moderation import (
    Appeal,
    BanProposal,
    ModerationEntry,
    ModeratorNote,
    Report,
    SeenMatch,
)
from games.models.moves import Move
from games.models.notices import MailChoice, Notice, PushSubscription, Reminder
from games.models.outages import Outage, Pulse
from games.models.players import Player, PlayerManager
from games.models.programs import ProgramToken
from games.models.puzzles import Puzzle, PuzzleAnswer
from games.models.reviews import Mistake, Review
from games.models.sessions import Session
from games.models.tallies import Outcome, Streak, Tally
from games.models.tokens import DataToken

__all__ = [
    "Appeal",
    "BanProposal",
    "Block",
    "ChatLine",
    "DataToken",
    "Decks",
    "Friendship",
    "Hand",
    "HandSeat",
    "JobCount",
    "MailChoice",
    "Match",
    "Mistake",
    "ModerationEntry",
    "ModeratorNote",
    "Move",
    "Mute",
    "Notice",
    "Outage",
    "Outcome",
    "Player",
    "PlayerManager",
    "ProgramToken",
    "Pulse",
    "PushSubscription",
    "Puzzle",
    "PuzzleAnswer",
    "QueuedMail",
    "Reminder",
    "Report",
    "Review",
    "Seat",
    "SeenMatch",
    "Session",
    "Streak",
    "TableInvitation",
    "Tally",
    "Worker",
]
