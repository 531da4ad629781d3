"""What the beginner bots see and overlook."""

from games.analysis.arena import chance_move, pack
from games.bots.beginner_bots import Alfie, Nora, Poppy, crib_estimate, visible_points
from games.engine import rules
from games.engine.cards import card_names, parse_card, parse_cards
from games.engine.moves import Deal, Discard, Play, Starter
from games.engine.state import Ruleset
from games.engine.view import View, view_for


def dealt(text: str, other: str = "AC2D7C8H9SKD") -> View:
    """Return the view of seat 0, pone, who has been dealt ``text``."""
    state = rules.start(Ruleset(first_dealer=1))
    step = rules.apply(state, Deal((parse_cards(text), parse_cards(other))))
    return view_for(step.state, 0)


def found_in(text: str) -> list[str]:
    """Return what a bot sees in some cards, as "kind cards points"."""
    return sorted(
        f"{kind} {card_names(sorted(some))} {points}"
        for kind, some, points in visible_points(tuple(sorted(parse_cards(text))))
    )


def test_beginners_see_fifteens_pairs_and_runs() -> None:
    assert found_in("5C5H6S7D") == ["pair 5C5H 2", "run 5C6S7D 3", "run 5H6S7D 3"]
    assert found_in("2C3D5HTS") == ["fifteen 2C3DTS 2", "fifteen 5HTS 2"]
    assert found_in("4C5H6S6D") == [
        "fifteen 4C5H6D 2",
        "fifteen 4C5H6S 2",
        "pair 6D6S 2",
        "run 4C5H6D 3",
        "run 4C5H6S 3",
    ]
    assert found_in("2C4C8CKC") == ["flush 2C4C8CKC 4"]
    assert found_in("2C4D8CKC") == []


def test_fives_and_pairs_raise_the_crib_estimate() -> None:
    assert crib_estimate(parse_cards("5H5C")) > crib_estimate(parse_cards("5HTC")) - 1
    assert crib_estimate(parse_cards("KH2C")) == 0


def test_alfie_keeps_the_points_in_his_hand() -> None:
    assert set(Alfie().discard(dealt("5HJDQSKC2H9D"))) == set(parse_cards("2H9D"))


def test_nora_does_not_lead_a_five_when_she_has_a_lower_card() -> None:
    state = rules.start(Ruleset(first_dealer=1))
    moves = (
        Deal((parse_cards("5H5D4CKDQHJH"), parse_cards("AC2D7C8H9SKC"))),
        Discard(0, parse_cards("QHJH")),
        Discard(1, parse_cards("AC2D")),
        Starter(parse_card("3S")),
    )
    for move in moves:
        state = rules.apply(state, move).state
    assert Nora().play(view_for(state, 0)) == parse_card("4C")


def test_poppy_overlooks_points_that_alfie_takes() -> None:
    missed = taken = 0
    for seed in range(40):
        state = rules.start(Ruleset(first_dealer=1))
        while not state.results and not (state.hand and len(state.hand.plays) == 6):
            if rules.chance(state):
                state = rules.apply(state, chance_move(state, pack(seed, 1))).state
                continue
            seat = rules.waiting(state)[0]
            view = view_for(state, seat)
            if view.legal.action == "discard":
                state = rules.apply(state, Discard(seat, Alfie().discard(view))).state
                continue
            hers, his = Poppy().play(view), Alfie().play(view)
            before = state.scores[seat]
            worth = rules.apply(state, Play(seat, his)).state.scores[seat] - before
            got = rules.apply(state, Play(seat, hers)).state.scores[seat] - before
            missed += got < worth
            taken += got == worth
            state = rules.apply(state, Play(seat, his)).state
    assert missed > 5
    assert taken > 5 * missed
