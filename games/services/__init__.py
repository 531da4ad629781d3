"""The write side: everything that changes a match, with keyword-only arguments.

`tables` are plain functions for threads: matches made, joined, filled, left. `play` are coroutines
for the event loop: moves, stored in the log before anybody is told, and what happens at a table.
"""

from games.refusals import Refused
from games.services.play import (
    ask_hint,
    claim_win,
    fill_table,
    leave_table,
    let_computer_play,
    make_move,
    return_to_seat,
    want_rematch,
)
from games.services.ranked import begin_ranked, record_match
from games.services.records import export_match, import_record
from games.services.tables import (
    create_match,
    fill_seat,
    join_match,
    leave_match,
    make_rematch,
    seat_stand_in,
    stand_in_level,
    take_back,
)

__all__ = [
    "Refused",
    "ask_hint",
    "begin_ranked",
    "claim_win",
    "create_match",
    "export_match",
    "fill_seat",
    "fill_table",
    "import_record",
    "join_match",
    "leave_match",
    "leave_table",
    "let_computer_play",
    "make_move",
    "make_rematch",
    "record_match",
    "return_to_seat",
    "seat_stand_in",
    "stand_in_level",
    "take_back",
    "want_rematch",
]
