"""From the cut for deal to the starter."""

import pytest

from games.engine.cards import parse_card, parse_cards
from games.engine.events import CutForDeal, Dealt, Discarded, GameWon, Heels, StarterCut
from games.engine.illegal import IllegalMove
from games.engine.moves import Deal
from games.engine.rules import apply, chance, start, waiting
from games.engine.state import Phase, Ruleset
from tests.support.positions import THREE, TWO, before_starter, in_play, make

SIX = "AH2H3H4H5H6H"
OTHER_SIX = "AC2C3C4C5C6C"


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [("5H KD", 0), ("KD 5H", 1), ("AH 2D", 0), ("5H 5D", None), ("TH JD", 0)],
)
def test_the_lowest_cut_deals_and_a_tie_is_cut_again(cards: str, dealer: int | None) -> None:
    state, events = make(start(Ruleset()), f"- cut {cards}")
    assert events == [CutForDeal(parse_cards(cards), dealer)]
    assert state.dealer == dealer
    assert chance(state) == ("cut" if dealer is None else "deal")


@pytest.mark.parametrize(
    ("cards", "dealer"),
    [("5H KD KC", 0), ("KD KC 5H", 2), ("5H 5D KC", None), ("9H KD 9C", None), ("9C 9D 2S", 2)],
)
def test_with_three_players_only_a_tie_for_the_lowest_is_cut_again(
    cards: str, dealer: int | None
) -> None:
    state, _ = make(start(Ruleset(players=3)), f"- cut {cards}")
    assert state.dealer == dealer


def test_all_players_cut_again_after_a_tie() -> None:
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
        ("- cut 5H 6H --", "bad_cut"),
        (f"- deal {SIX} {OTHER_SIX}", "wrong_phase"),
        ("0 play 5H", "wrong_phase"),
        ("0 discard 5H6H", "wrong_phase"),
        ("0 claim 2", "wrong_phase"),
    ],
)
def test_only_a_complete_cut_is_accepted_at_the_cut(text: str, code: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(start(Ruleset()), text)
    assert caught.value.code == code


def test_there_is_no_cut_when_the_first_dealer_is_given() -> None:
    state = start(Ruleset(first_dealer=1))
    assert (state.phase, state.dealer) == (Phase.DEAL, 1)


def test_two_players_get_six_cards_and_discard_two() -> None:
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


def test_three_players_get_five_cards_and_discard_one_and_the_crib_gets_one_card() -> None:
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
def test_a_deal_of_the_wrong_cards_is_refused(ruleset: Ruleset, text: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        make(start(ruleset), text)
    assert caught.value.code == "bad_deal"


def test_a_deal_with_invalid_card_numbers_is_refused() -> None:
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
        ("0 play 5H", "wrong_phase", "the phase is discard"),
        ("- starter KS", "wrong_phase", "the phase is discard"),
        ("0 pass", "no_claim_open", "no open claim"),
    ],
)
def test_an_illegal_discard_is_refused_with_a_reason(text: str, code: str, message: str) -> None:
    state, _ = make(start(TWO), f"- deal {SIX} {OTHER_SIX}")
    with pytest.raises(IllegalMove, match=message) as caught:
        make(state, text)
    assert caught.value.code == code


def test_a_seat_that_does_not_exist_is_told_the_last_one() -> None:
    with pytest.raises(IllegalMove, match="no seat 3; seats are 0 to 2"):
        make(start(THREE), "3 discard 5H")


def test_a_discard_is_final() -> None:
    state, _ = make(start(TWO), f"- deal {SIX} {OTHER_SIX}", "0 discard AH2H")
    with pytest.raises(IllegalMove) as caught:
        make(state, "0 discard 3H4H")
    assert caught.value.code == "already_discarded"


def test_the_starter_must_be_a_card_left_in_the_pack() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC")
    for text in ("2H", "8C", "AH", "KC"):
        with pytest.raises(IllegalMove) as caught:
            make(state, f"- starter {text}")
        assert caught.value.code == "bad_starter"


def test_with_three_players_the_starter_cannot_be_the_crib_card() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C", "2S4S6S8S"), "KHKCKSTD", THREE)
    with pytest.raises(IllegalMove):
        make(state, "- starter TD")


def test_a_jack_starter_scores_two_for_the_dealer() -> None:
    state = before_starter(("2H4H6H8H", "2C4C6C8C"), "AHKHACKC")
    state, events = make(state, "- starter JD")
    assert events == [StarterCut(parse_card("JD")), Heels(0, 2, (2, 0))]
    assert state.scores == (2, 0)
    assert state.turn == 1


def test_any_other_starter_scores_nothing() -> None:
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
