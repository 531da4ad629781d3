"""With three seats, what opponents have shown in a game tells how they will play."""

from dataclasses import replace
from itertools import chain, pairwise
from random import Random

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
from games.engine.cards import PACK, RANK, Card, parse_cards
from games.engine.events import Event, Played
from games.engine.moves import Deal, Discard, Play, Starter
from games.engine.state import Phase, Ruleset, State
from games.engine.view import View, view_for

CARDS = {
    0: lambda view: lowest_of_rank(view, heuristics.rank_to_play(view)),
    1: distracted_card,
    2: habitual_card,
    3: highest_of_most_points,
}
"""Number of a style -> the card that a player of this style plays."""


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


def _plays_of(events: tuple[Event, ...]) -> list[tuple[int, Card]]:
    return [(event.seat, event.card) for event in events if isinstance(event, Played)]


@pytest.mark.parametrize("style", CARDS)
def test_a_style_plays_the_cards_of_the_players_who_have_it(style: int) -> None:
    same = []
    for view in views(("club", "walter", "keen"), 6):
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


@pytest.mark.parametrize("hands", [6, 7, 8])
def test_after_some_hands_each_opponent_is_known_by_their_style(hands: int) -> None:
    names = ("club", "nora", "keen")
    own = {"club": 0, "nora": 1, "keen": 2}
    view = views(names, hands)[-1]
    trust = three_opponents.trust(view)
    assert trust.sum(axis=1) == pytest.approx(1.0)
    for seat, name in enumerate(names):
        row = trust[three.role_of(seat, view.dealer or 0)]
        mine = STYLES[:, 0] == own[name]
        assert row[mine].sum() > 1.25 * PRIOR[mine].sum()


def test_each_card_of_a_finished_hand_counts_as_evidence() -> None:
    """A style is as likely as it is to have played these cards."""
    seen = views(("nora", "walter", "grace"), 3)
    expected = np.tile(np.log(PRIOR), (3, 1))
    for view, then in pairwise(seen):
        ranks = {RANK[card] for card in view.legal.cards}
        if view.legal.action != "play" or len(ranks) == 1:
            continue
        card = (then.plays or _plays_of(then.history[-1]))[len(view.plays)][1]
        for at, (style, deviation) in enumerate(STYLES):
            agrees = RANK[CARDS[int(style)](view)] == RANK[card]
            chance = deviation / len(ranks) + (1 - deviation) * agrees
            expected[view.seat or 0, at] += np.log(chance)
    chances = np.exp(expected)
    chances /= chances.sum(axis=1, keepdims=True)
    dealer = seen[-1].dealer or 0
    found = three_opponents.trust(seen[-1])
    for seat in range(3):
        assert found[three.role_of(seat, dealer)] == pytest.approx(chances[seat], rel=1e-6)


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


def test_a_discard_has_the_best_chance_of_those_with_about_the_most_points() -> None:
    seen = [view for view in views(("ada", "club", "walter"), 6) if view.legal.action == "discard"]
    fewer = 0
    for view in seen:
        values = {one.thrown: one for one in three.evaluate_by_deals(view)}
        chosen = values[get("ada").discard(view)]
        best = max(one.total for one in values.values())
        assert chosen.total >= best - three.CANDIDATE
        assert chosen.chance >= max(one.chance for one in values.values()) - 1e-9
        fewer += chosen.total < best
    assert fewer > 0, "the averages alone would never choose such a discard"


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_chance_of_a_discard_is_that_of_deals_played_by_the_rules(
    monkeypatch: pytest.MonkeyPatch, seat: int
) -> None:
    """The opponents discard and play as club players who take the most points."""
    greedy = np.tile(STYLES[:, 0] == 3, (3, 1)).astype(np.float64)
    monkeypatch.setattr(three_opponents, "trust", lambda _view: greedy)
    monkeypatch.setattr(three, "DEALS", 4700)
    held = parse_cards("5H6C7DJSKD")
    random = Random(seat)
    view = view_for(_dealt(seat, held, random), seat)
    found = {one.thrown[0]: one.chance for one in three.evaluate_by_deals(view)}
    thrown = max(found, key=lambda card: found[card])
    won = [_won(_dealt(seat, held, random), seat, thrown, random) for _ in range(400)]
    assert found[thrown] == pytest.approx(np.mean(won), abs=4 * np.std(won) / np.sqrt(len(won)))


def _dealt(seat: int, held: tuple[Card, ...], random: Random) -> State:
    """Return a late hand that seat 2 deals, in which ``seat`` holds these cards."""
    rest = random.sample([card for card in PACK if card not in held], 11)
    hands = [held if other == seat else tuple(rest.pop() for _ in range(5)) for other in range(3)]
    state = rules.start(Ruleset(players=3, first_dealer=2, scores=(105, 108, 102)))
    return rules.apply(state, Deal(tuple(hands), rest.pop())).state


def _won(state: State, seat: int, thrown: Card, random: Random) -> float:
    """Play a hand to its end; return the chance that ``seat`` wins the game then."""
    assert state.hand is not None
    hidden = {*PACK} - {*chain(*state.hand.dealt), state.hand.crib_card}
    for other in range(3):
        view = view_for(state, other)
        cards = (thrown,) if other == seat else get("club").discard(view)
        state = rules.apply(state, Discard(other, cards)).state
    state = rules.apply(state, Starter(random.choice(sorted(hidden)))).state
    while state.phase is Phase.PLAY:
        turn = rules.waiting(state)[0]
        card = CARDS[0 if turn == seat else 3](view_for(state, turn))
        state = rules.apply(state, Play(turn, card)).state
    if state.results:
        return float(state.results[0].winner == seat)
    return three.win_probability(state.scores, state.dealer or 0)[seat]
