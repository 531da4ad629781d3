"""With three seats, what opponents have shown in a game tells how they will play."""

from dataclasses import replace

import numpy as np
import pytest

from games.analysis import heuristics, three, three_opponents
from games.analysis.arena import chance_move, pack
from games.analysis.kernels import show, three_styles
from games.analysis.three_opponents import PRIOR, STYLES
from games.bots import Player, get
from games.bots.common import (
    distracted_card,
    habitual_card,
    highest_of_most_points,
    lowest_of_rank,
)
from games.engine import rules
from games.engine.cards import RANK
from games.engine.moves import Discard, Play
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for

CARDS = {
    0: lambda view: lowest_of_rank(view, heuristics.rank_to_play(view)),
    1: distracted_card,
    2: habitual_card,
    3: highest_of_most_points,
}
"""Number of a style -> the card that a level of this style plays."""


def played(players: list[Player], hands: int, seed: int = 4) -> list[tuple[State, int]]:
    """Return the decisions (state and seat) of the first hands of a game."""
    state = rules.start(Ruleset(players=3, first_dealer=0))
    found: list[tuple[State, int]] = []
    number = 0
    while True:
        kind = rules.chance(state)
        if kind is not None:
            number += kind == "deal"
            state = rules.apply(state, chance_move(state, pack(seed, number))).state
        if number > hands:
            return [*found, (state, 0)]
        if kind is not None:
            continue
        seat = rules.waiting(state)[0]
        view = view_for(state, seat)
        found.append((state, seat))
        if view.legal.action == "discard":
            state = rules.apply(state, Discard(seat, players[seat].discard(view))).state
        else:
            state = rules.apply(state, Play(seat, players[seat].play(view))).state


def views(names: tuple[str, str, str], hands: int) -> list[View]:
    """Return the views of who decides in the first hands of a game, then seat 0's of the next."""
    return [view_for(*one) for one in played([get(name) for name in names], hands)]


@pytest.mark.parametrize("style", CARDS)
def test_a_style_plays_the_cards_of_the_levels_that_have_it(style: int) -> None:
    same = []
    for view in views(("club", "walter", "grace"), 6):
        if view.legal.action != "play" or view.starter is None:
            continue
        past = np.zeros(14, dtype=np.int64)
        for at, (_, card) in enumerate(view.plays):
            past[at] = RANK[card]
        rank = three_styles.style_rank(
            style,
            np.bincount([RANK[card] for card in view.cards], minlength=13),
            past,
            len(view.plays) - len(view.pile),
            len(view.plays),
            view.count,
            RANK[view.starter],
            view.hand_sizes[((view.seat or 0) + 1) % 3],
        )
        same.append(rank == RANK[CARDS[style](view)])
    # The rules of thumb also consider a seat's own discard, which the others cannot see.
    assert len(same) > 50
    assert np.mean(same) > (0.95 if style == 0 else 0.999)


def test_before_the_first_hand_is_over_all_styles_are_possible() -> None:
    for view in views(("ada", "club", "walter"), 1)[:-1]:
        assert three_opponents.trust(view) == pytest.approx(np.tile(PRIOR, (3, 1)))


def test_after_some_hands_each_opponent_is_known_by_their_style() -> None:
    names = ("club", "nora", "grace")
    own = {"club": 0, "nora": 1, "grace": 2}
    view = views(names, 8)[-1]
    trust = three_opponents.trust(view)
    assert trust.sum(axis=1) == pytest.approx(1.0)
    for seat, name in enumerate(names):
        row = trust[three.role_of(seat, view.dealer or 0)]
        mine = STYLES[:, 0] == own[name]
        assert row[mine].sum() > 1.25 * PRIOR[mine].sum()


def test_a_hand_that_was_cut_short_tells_nothing() -> None:
    view = views(("nora", "walter", "grace"), 4)[-1]
    cut = replace(view, history=tuple(events[:-6] for events in view.history))
    assert three_opponents.trust(cut) == pytest.approx(np.tile(PRIOR, (3, 1)))


def test_the_usual_discard_is_a_club_player_s() -> None:
    club = get("club")
    hidden = np.empty(52, dtype=np.int64)
    seen = [view for view in views(("club",) * 3, 8) if view.legal.action == "discard"]
    for view in seen[:-1]:
        cards = np.array(sorted(view.cards))
        role = three.role_of(view.seat or 0, view.dealer or 0)
        at = three_styles.usual_throw(
            show.five_table(), cards, hidden, role, three_opponents.usual_cribs()
        )
        assert club.discard(view) == (cards[at],)


def test_a_discard_is_chosen_by_playing_whole_deals() -> None:
    # At 120 all round, only who scores first counts: pone keeps what scores in the play.
    ada = get("ada")
    seen = [view for view in views(("ada",) * 3, 4) if view.legal.action == "discard"]
    chosen = [ada.discard(view) for view in seen]
    assert all(set(cards) < set(view.cards) for cards, view in zip(chosen, seen, strict=True))
    ended = [ada.discard(replace(view, scores=(119, 119, 119))) for view in seen]
    assert chosen != ended
