"""The front door of games for other apps: what they may use, and nothing else.

Matches are made and found here; how they are played, stored and told is nobody else's business.
"""

from games.access import shown_to_players_of_it
from games.accounts import computer_player, ensure_guest
from games.analysis.par import VERSION as PAR_VERSION
from games.analysis.par import Par, par
from games.bots import get as bot
from games.bots import house, levels
from games.chance import draw
from games.engine import rules
from games.engine.cards import NAMES, PACK, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter, parse_move, to_text
from games.engine.scoring import count_hand
from games.engine.state import Hand as PlayedHand
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for
from games.friends import friend_keys, kept_apart
from games.hooks import (
    Field,
    FieldHand,
    FieldThrow,
    on_erasing,
    on_exporting,
    on_field,
    on_finished,
    on_left,
    on_merging,
    on_pardoned,
    on_rated,
    on_reached,
    on_standard_games,
)
from games.hooks import StandardGames as StandardGamesKeeper
from games.ids import invite_token, public_id
from games.leaving import computer_of
from games.models import Decks, Hand, HandSeat, Match, Player, Seat
from games.refusals import Refused
from games.selectors import (
    PlayedMatch,
    head_to_head,
    match_by_id,
    may_replay,
    may_see,
    played_match,
    seat_of,
)
from games.services import (
    begin_ranked,
    create_match,
    export_match,
    import_record,
    join_match,
    record_match,
)
from games.views.limited import maker
from games.views.visitor import player_of

__all__ = [
    "NAMES",
    "PACK",
    "PAR_VERSION",
    "Deal",
    "Decks",
    "Discard",
    "Field",
    "FieldHand",
    "FieldThrow",
    "Hand",
    "HandSeat",
    "Match",
    "Move",
    "Par",
    "Play",
    "PlayedHand",
    "PlayedMatch",
    "Player",
    "Refused",
    "Ruleset",
    "Seat",
    "StandardGamesKeeper",
    "Starter",
    "State",
    "View",
    "begin_ranked",
    "bot",
    "computer_of",
    "computer_player",
    "count_hand",
    "create_match",
    "draw",
    "ensure_guest",
    "export_match",
    "friend_keys",
    "head_to_head",
    "house",
    "import_record",
    "invite_token",
    "join_match",
    "kept_apart",
    "levels",
    "maker",
    "match_by_id",
    "may_replay",
    "may_see",
    "on_erasing",
    "on_exporting",
    "on_field",
    "on_finished",
    "on_left",
    "on_merging",
    "on_pardoned",
    "on_rated",
    "on_reached",
    "on_standard_games",
    "par",
    "parse_cards",
    "parse_move",
    "played_match",
    "player_of",
    "public_id",
    "record_match",
    "rules",
    "seat_of",
    "shown_to_players_of_it",
    "to_text",
    "view_for",
]
