"""The public interface of `games` for other apps, which must import nothing else from it.

It covers creating and finding matches; playing, storing and broadcasting them are internal.
"""

from games.analysis.discards import average_points
from games.analysis.hidden_throws import hidden_fit
from games.analysis.par import VERSION as PAR_VERSION
from games.analysis.par import Par, par
from games.archive.access import (
    openable,
    seat_of,
    visible_in_lists,
    visible_to_standard_game_players,
)
from games.archive.pace import thinking_times
from games.archive.reply_agreement import reply_agreement
from games.archive.selectors import OpenTable, PlayedMatch, played_match
from games.archive.sharing import Sharing, may_become_standard, sharing_of, shows_name
from games.bots import get as bot
from games.bots import house, levels
from games.correspondence.reminders import remind, withdraw_reminders
from games.engine import rules
from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.moves import Discard, Move, Play
from games.engine.scoring import count_hand
from games.engine.state import Hand as PlayedHand
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for
from games.hooks import (
    Field,
    FieldHand,
    FieldThrow,
    StandardPlay,
    on_banned,
    on_blocking,
    on_erasing,
    on_exporting,
    on_field,
    on_finished,
    on_fragment,
    on_left,
    on_linked,
    on_merging,
    on_pardoned,
    on_rated,
    on_reached,
    on_results_removed,
    on_same_reader,
    on_standard_games,
)
from games.hooks import StandardGames as StandardGamesKeeper
from games.jobs.backend import BATCH, job
from games.jobs.queue import is_open as is_job_open
from games.jobs.schedules import daily, every, scheduled
from games.live.dealing import draw
from games.models import Decks, Hand, HandSeat, Match, ModerationEntry, Player, Seat, SeenMatch
from games.models.ids import invite_token, public_id
from games.ops.true_time import now as true_now
from games.pages.charts.drawing import Drawing, round_values
from games.pages.charts.rows import dot_row, sparkline
from games.pages.chips import Chip
from games.pages.previews.previews import Preview, on_preview
from games.pages.site.error_messages import show_errors
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of
from games.people.accounts import computer_player
from games.people.chat import clean as clean_line
from games.people.friends import blocked_either_way, friend_keys
from games.people.limits import address as client_address
from games.people.limits import consume, named
from games.people.player_lock import locked_player
from games.people.resent import made_already, waits_already
from games.safety.admin_lookups import OfferedLookups
from games.safety.moderation import is_moderator, moderate, report
from games.tables.forfeit import computer_of
from games.tables.ranked import begin_ranked, record_match
from games.tables.tables import create_match
from games.text.dates import date_format
from games.text.numbers import decimal_form, signed
from games.wire.refusals import Refused

__all__ = [
    "BATCH",
    "NAMES",
    "PACK",
    "PAR_VERSION",
    "Chip",
    "Decks",
    "Discard",
    "Drawing",
    "Field",
    "FieldHand",
    "FieldThrow",
    "Hand",
    "HandSeat",
    "Match",
    "ModerationEntry",
    "Move",
    "OfferedLookups",
    "OpenTable",
    "Par",
    "Play",
    "PlayedHand",
    "PlayedMatch",
    "Player",
    "Preview",
    "Refused",
    "Ruleset",
    "Seat",
    "SeenMatch",
    "Sharing",
    "StandardGamesKeeper",
    "StandardPlay",
    "State",
    "View",
    "average_points",
    "begin_ranked",
    "blocked_either_way",
    "bot",
    "clean_line",
    "client_address",
    "computer_of",
    "computer_player",
    "consume",
    "count_hand",
    "create_match",
    "daily",
    "date_format",
    "decimal_form",
    "dot_row",
    "draw",
    "every",
    "friend_keys",
    "hidden_fit",
    "house",
    "invite_token",
    "is_job_open",
    "is_moderator",
    "job",
    "levels",
    "locked_player",
    "made_already",
    "match_creator",
    "may_become_standard",
    "moderate",
    "named",
    "on_banned",
    "on_blocking",
    "on_erasing",
    "on_exporting",
    "on_field",
    "on_finished",
    "on_fragment",
    "on_left",
    "on_linked",
    "on_merging",
    "on_pardoned",
    "on_preview",
    "on_rated",
    "on_reached",
    "on_results_removed",
    "on_same_reader",
    "on_standard_games",
    "openable",
    "par",
    "parse_cards",
    "played_match",
    "player_of",
    "public_id",
    "record_match",
    "remind",
    "reply_agreement",
    "report",
    "round_values",
    "rules",
    "scheduled",
    "seat_of",
    "sharing_of",
    "show_errors",
    "shows_name",
    "signed",
    "sparkline",
    "thinking_times",
    "true_now",
    "view_for",
    "visible_in_lists",
    "visible_to_standard_game_players",
    "waits_already",
    "withdraw_reminders",
]
