"""Database models: players, matches with their seats, the log of moves, and its summaries.

The log is the source of truth; a Hand is a summary that saves pages from folding the log.
"""

from games.models.chat import ChatLine, Mute
from games.models.courses import CourseExam, CourseStep
from games.models.decks import Decks
from games.models.friends import Block, Friendship, TableInvitation
from games.models.hands import Hand, HandSeat
from games.models.insights import DecisionSum, FieldSum
from games.models.jobs import JobCount, Worker
from games.models.mails import QueuedMail
from games.models.matches import Match
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
from games.models.planned_plays import PlannedPlay
from games.models.players import Player, PlayerManager
from games.models.programs import ProgramToken
from games.models.public import Choice, DisputedHand, OpenDataFile, PublicMatch
from games.models.puzzles import Puzzle, PuzzleAnswer
from games.models.rated_puzzles import PuzzleAttempt, PuzzleRating, RatedPuzzle, Storm
from games.models.reply_times import ReplyTimes
from games.models.reviews import Mistake, Review
from games.models.seats import Seat
from games.models.sessions import Session
from games.models.tallies import Outcome, Streak, Tally
from games.models.tokens import DataToken
from games.models.vacations import Vacation

__all__ = [
    "Appeal",
    "BanProposal",
    "Block",
    "ChatLine",
    "Choice",
    "CourseExam",
    "CourseStep",
    "DataToken",
    "DecisionSum",
    "Decks",
    "DisputedHand",
    "FieldSum",
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
    "OpenDataFile",
    "Outage",
    "Outcome",
    "PlannedPlay",
    "Player",
    "PlayerManager",
    "ProgramToken",
    "PublicMatch",
    "Pulse",
    "PushSubscription",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleAttempt",
    "PuzzleRating",
    "QueuedMail",
    "RatedPuzzle",
    "Reminder",
    "ReplyTimes",
    "Report",
    "Review",
    "Seat",
    "SeenMatch",
    "Session",
    "Storm",
    "Streak",
    "TableInvitation",
    "Tally",
    "Vacation",
    "Worker",
]
