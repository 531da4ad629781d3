"""Players, matches (also on standard games) played without a server, and pages about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django.test import Client
from django.utils import timezone

from games.engine import rules
from games.engine.moves import Chance, Decision, Move, parse_move, to_text
from games.engine.state import Ruleset
from games.engine.view import View, view_for
from games.live import computers, dealing
from games.log import store, summaries
from games.log.store import Entry
from games.models import Match, Player
from games.tables.forfeit import leave_for_good
from ratings.models import Play
from ratings.rating.results import collect
from ratings.standard import catalogue


def people(number: int, start: int = 0) -> list[Player]:
    """Create this many players."""
    return [Player.objects.create_user(f"Person {start + n}") for n in range(number)]


def play_on(match: Match, levels: Sequence[str] = ("alfie", "nora", "alfie"), stop: int = 0) -> int:
    """Continue a match from its log, to its end or until ``stop`` hands are over.

    Returns the length of the log.
    """
    match = Match.objects.select_related("decks").get(pk=match.pk)
    packs = match.decks.packs if match.decks else ()
    state = rules.start(Ruleset.from_dict(match.ruleset))
    for entry in store.whole(match.pk):
        state = rules.apply(state, parse_move(entry.text)).state
    entries, changes = [], []
    while not state.results and not (stop and len(state.hands) >= stop and state.hand is None):
        move: Move | None = dealing.draw(state, packs)
        if move is None:
            seat = rules.waiting(state)[0]
            move = _decision(levels[seat], view_for(state, seat))
        assert move is not None
        step = rules.apply(state, move)
        now = timezone.now()
        who = None if isinstance(move, Chance) else move.seat
        entries.append(Entry(match.pk, state.sequence, who, to_text(move), "", now))
        change = summaries.effects(match.pk, state, step.state, now)
        if change is not None:
            changes.append(change)
        state = step.state
    store.write_all(entries)
    summaries.write(changes)
    return state.sequence


@lru_cache(maxsize=4096)
def _decision(level: str, view: View) -> Decision | None:
    """Return what a computer decides, which is the same whenever it sees the same."""
    return computers.decide(level, view)


def ranked_match(players: list[Player], levels: Sequence[str] = ("alfie", "nora")) -> Match:
    """Play a ranked match to its end on a game of the pool, and rate it."""
    game = catalogue.choose_game(players=players)
    catalogue.prepare(game=game)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match, levels)
    collect(match=match.pk)
    match.refresh_from_db()
    return match


def match_left_after(hands: int, players: list[Player]) -> Match:
    """Return a ranked match whose seat 0 has left for good after so many hands."""
    game = catalogue.choose_game(players=players)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match, stop=hands)
    leave_for_good(match=match.pk, seat=0)
    return match


def text(client: Client, path: str, status: int = 200) -> str:
    """Return a page as text."""
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def result(match: Match) -> str:
    """Return the address of the result of a match on a standard game."""
    game = Play.objects.get(match=match).standard_game_id
    return f"/standard/{game}/result/{match.public_id}/"


def cards_shown(page: str) -> int:
    """Return the number of cards that a page shows face up."""
    return page.count("card-face")
