"""From the cut for deal to the starter."""

import pytest

from games.engine.cards import parse_card, parse_cards
from games.engine.events import CutForDeal, Dealt, Discarded, GameWon, Heels, StarterCut
from games.engine.illegal import IllegalMove
from games.engine.moves import Deal
from games.engine.rules import apply, chance, start, waiting
from games.engine.state import Phase, Ruleset
from tests.engine.tables import THREE, TWO, before_starter, in_play, make

SIX = "AH2H3H4H5H6H"
OTHER_SIX = "AC2C3C4C5C6C"


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [("5H KD", 0), ("KD 5H", 1), ("AH 2D", 0), ("5H 5D", None), ("TH JD", 0)],
)
def test_the_lowest_cut_deals_and_a_shared_one_is_cut_again(cards: str, dealer: int | None) -> None:
    state, events = make(start(Ruleset()), f"- cut {cards}")
    assert events == [CutForDeal(parse_cards(cards), dealer)]
    assert state.dealer == dealer
    assert chance(state) == ("cut" if dealer is None else "deal")


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [("5H KD KC", 0), ("KD KC 5H", 2), ("5H 5D KC", None), ("9H KD 9C", None), ("9C 9D 2S", 2)],
)
def test_with_three_only_a_tie_for_the_lowest_is_cut_again(cards: str, dealer: int | None) -> None:
    state, _ = make(start(Ruleset(players=3)), f"- cut {cards}")
    assert state.dealer == dealer


def test_after_a_tie_everybody_cuts_again() -> None:
    state, _ = make(start(Ruleset(players=3)), "- cut 5H 5D KC", "- cut 9H 8D KC")
    assert state.cutters == (0, 1, 2)
    assert state.dealer == 1
    assert len(state.cuts) == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- cut 5H", "bad_cut"),
        ("- cut 5H -- ", "bad_cut"),
        ("- cut 5H 5H", "bad_cut"),
        ("- cut 5H 6H 7H", "bad_cut"),
        (f"- deal {SIX} {OTHER_SIX}", "wrong_phase"),
        ("0 play 5H", "wrong_phase"),
        ("0 discard 5H6H", "wrong_phase"),
        ("0 claim 2", "wrong_phase"),
    ],
)
def test_at_the_cut_only_a_whole_cut_fits(text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(start(Ruleset()), text)
    assert caught.value.code == code


def test_a_known_first_dealer_is_not_cut_for() -> None:
    state = start(Ruleset(first_dealer=1))
    assert (state.phase, state.dealer) == (Phase.DEAL, 1)


def test_two_get_six_cards_and_throw_two() -> None:
    state, events = make(start(TWO), f"- deal {SIX} {OTHER_SIX}")
    assert events == [Dealt(1, 1, 0)]
    assert waiting(state) == (0, 1)
    state, events = make(state, "1 discard AC2C")
    assert events == [Discarded(1, 2)]
    assert waiting(state) == (0,)
    state, _ = make(state, "0 discard 6H5H")
    assert chance(state) == "starter"
    assert state.hand is not None
    assert state.hand.crib == parse_cards("6H5HAC2C")
    assert state.hand.held == (parse_cards("AH2H3H4H"), parse_cards("3C4C5C6C"))


def test_three_get_five_cards_and_throw_one_to_the_card_in_the_crib() -> None:
    deal = "- deal AH2H3H4H5H AC2C3C4C5C AD2D3D4D5D KS"
    state, _ = make(start(THREE), deal, "2 discard AD", "0 discard 5H", "1 discard 3C")
    assert chance(state) == "starter"
    assert state.hand is not None
    assert set(state.hand.crib) == set(parse_cards("KS5H3CAD"))
    assert [len(held) for held in state.hand.held] == [4, 4, 4]


@pytest.mark.parametrize(
    ("ruleset", "text"),
    [
        (TWO, f"- deal {SIX}"),
        (TWO, f"- deal {SIX} {OTHER_SIX} KS"),
        (TWO, f"- deal {SIX} {SIX}"),
        (TWO, f"- deal {SIX} AC2C3C4C5C"),
        (TWO, "- deal KS"),
        (THREE, "- deal AH2H3H4H5H AC2C3C4C5C AD2D3D4D5D"),
        (THREE, "- deal AH2H3H4H5H AC2C3C4C5C AD2D3D4D5D AH"),
        (THREE, f"- deal {SIX} {OTHER_SIX}"),
    ],
)
def test_a_deal_of_other_cards_is_refused(ruleset: Ruleset, text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(start(ruleset), text)
    assert caught.value.code == "bad_deal"


def test_a_deal_of_things_that_are_no_cards_is_refused() -> None:
    hands = ((*parse_cards("AH2H3H4H5H"), 52), parse_cards(OTHER_SIX))
    with pytest.raises(IllegalMove, match="numbers from 0 to 51"):
        apply(start(TWO), Deal(hands))


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("0 discard 5H", "wrong_number", "2 different cards"),
        ("0 discard 5H5H", "wrong_number", "2 different cards"),
        ("0 discard 5H6H4H", "wrong_number", "2 different cards"),
        ("0 discard 5HKS", "not_your_card", "KS is not held; the hand is AH 2H 3H 4H 5H 6H"),
        ("0 discard ACAH", "not_your_card", "AC is not held"),
        ("2 discard 5H6H", "bad_seat", "no seat 2; seats are 0 to 1"),
        ("0 play 5H", "wrong_phase", "the match is at discard"),
        ("- starter KS", "wrong_phase", "the match is at discard"),
        ("0 pass", "no_claim_open", "no claim"),
    ],
)
def test_a_wrong_discard_is_refused_and_says_what_is_held(
    text: str, code: str, message: str
) -> None:
    state, _ = make(start(TWO), f"- deal {SIX} {OTHER_SIX}")
    with pytest.raises(IllegalMove, match=message) as caught:
        make(state, text)
    assert caught.value.code == code


def test_a_discard_is_final() -> None:
    state, _ = make(start(TWO), f"- deal {SIX} {OTHER_SIX}", "0 discard AH2H")
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 discard 3H4H")
    assert caught.value.code == "already_discarded"


def test_the_starter_is_a_card_left_in_the_pack() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC")
    for text in ("2H", "8C", "AH", "KC"):
        with pytest.raises(IllegalMove) as caught:
            make(state, f"- starter {text}")
        assert caught.value.code == "bad_starter"


def test_with_three_the_starter_is_not_the_card_in_the_crib() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C", "2S4S6S8S"), "KHKCKSTD", THREE)
    with pytest.raises(IllegalMove):
        make(state, "- starter TD")


def test_a_jack_is_two_for_the_dealer() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC")
    state, events = make(state, "- starter JD")
    assert events == [StarterCut(parse_card("JD")), Heels(0, 2, (2, 0))]
    assert state.scores == (2, 0)
    assert state.turn == 1


def test_any_other_card_is_nothing() -> None:
    state = in_play(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC", "QD")
    assert state.scores == (0, 0)


def test_heels_win_from_119_and_from_120_before_a_card_is_played() -> None:
    for score in (119, 120):
        state = before_starter(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC", scores=(score, 100))
        state, events = make(state, "- starter JD")
        assert state.phase is Phase.OVER
        assert state.winner == 0
        assert state.scores == (121, 100)
        assert Heels(0, 2, (121, 100)) in events
        assert any(isinstance(event, GameWon) for event in events)


def test_heels_from_118_do_not_win() -> None:
    state = in_play(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC", "JD", scores=(118, 100))
    assert state.phase is Phase.PLAY
    assert state.scores == (120, 100)
