"""Skunks, match points, and the dealer of the next game."""

from dataclasses import replace

import pytest

from games.engine.cards import parse_card
from games.engine.events import CutForDeal, GameWon, MatchOver, Resigned
from games.engine.illegal import IllegalMove
from games.engine.moves import Starter
from games.engine.rules import apply, legal, start
from games.engine.scorekeeping import match_points, peg, skunks
from games.engine.state import Phase, Ruleset, RulesetError, State
from games.engine.view import view_for
from tests.support.positions import TWO, before_starter, make, random_match

SHORT = Ruleset(target=61)
THREE_PLAYERS = Ruleset(players=3)


@pytest.mark.parametrize(
    ("ruleset", "scores", "skunked", "points"),
    [
        (Ruleset(), (121, 120), (0, 0), 1),
        (Ruleset(), (121, 91), (0, 0), 1),
        (Ruleset(), (121, 90), (0, 1), 2),
        (Ruleset(), (121, 61), (0, 1), 2),
        (Ruleset(), (60, 121), (2, 0), 3),
        (Ruleset(), (0, 121), (2, 0), 3),
        (Ruleset(double_skunk=2), (60, 121), (2, 0), 2),
        (Ruleset(double_skunk=4), (60, 121), (2, 0), 4),
        (Ruleset(double_skunk=4), (61, 121), (1, 0), 2),
        (Ruleset(skunks=False), (0, 121), (0, 0), 1),
        (SHORT, (61, 31), (0, 0), 1),
        (SHORT, (61, 30), (0, 1), 2),
        (SHORT, (61, 0), (0, 1), 2),
        (THREE_PLAYERS, (121, 91, 91), (0, 0, 0), 1),
        (THREE_PLAYERS, (121, 90, 91), (0, 1, 0), 2),
        (THREE_PLAYERS, (90, 121, 90), (1, 0, 1), 3),
        (THREE_PLAYERS, (60, 121, 90), (2, 0, 1), 4),
        (THREE_PLAYERS, (60, 60, 121), (2, 2, 0), 5),
    ],
)
def test_skunk_lines_and_match_points(
    ruleset: Ruleset, scores: tuple[int, ...], skunked: tuple[int, ...], points: int
) -> None:
    assert skunks(ruleset, scores) == skunked
    assert match_points(ruleset, skunked) == points


def won(ruleset: Ruleset, scores: tuple[int, ...]) -> State:
    """Return the state after a game that seat 0, the dealer, wins by heels from these scores."""
    kept = ("2H4H6H8H", "2C4C6C8C", "2S4S6S8S")[: ruleset.players]
    state = before_starter(kept, "AHKHACKC", ruleset, scores)
    return apply(state, Starter(parse_card("JD"))).state


def test_the_result_of_a_game_has_winner_scores_skunks_and_points() -> None:
    state = won(Ruleset(first_dealer=0), (120, 75))
    (result,) = state.results
    assert (result.winner, result.scores) == (0, (121, 75))
    assert (result.skunks, result.points) == ((0, 1), 2)
    assert state.match_points == (2, 0)
    assert state.winner == 0


def test_with_two_players_the_loser_deals_the_next_game() -> None:
    state = won(Ruleset(first_dealer=0, games=3), (120, 75))
    assert (state.phase, state.dealer, state.winner) == (Phase.DEAL, 1, None)
    assert state.scores == (121, 75)  # the scores stay until the next deal
    state, _ = make(state, "- deal AH2H3H4H5H6H AC2C3C4C5C6C")
    assert (state.game, state.scores, state.trailing) == (2, (0, 0), (0, 0))
    assert state.hands == ()
    assert state.hand is not None
    assert (state.hand.game, state.hand.number, state.hand.dealer) == (2, 1, 1)


def test_with_three_players_the_lowest_score_deals_the_next_game() -> None:
    state = won(Ruleset(players=3, first_dealer=0, games=2), (120, 75, 60))
    assert (state.phase, state.dealer) == (Phase.DEAL, 2)


def test_with_three_players_two_tied_for_lowest_cut_for_the_deal() -> None:
    state = won(Ruleset(players=3, first_dealer=0, games=2), (120, 75, 75))
    assert (state.phase, state.dealer, state.cutters) == (Phase.CUT, None, (1, 2))
    with pytest.raises(IllegalMove) as caught:
        make(state, "- cut 5H 6H 7H")
    assert caught.value.code == "bad_cut"
    state, events = make(state, "- cut -- 6H 6D", "- cut -- 6H 5H")
    assert state.dealer == 2
    assert [e.dealer for e in events if isinstance(e, CutForDeal)] == [None, 2]
    assert (state.game, state.scores) == (2, (0, 0, 0))


def test_the_player_with_the_most_match_points_wins_the_match() -> None:
    state = won(Ruleset(first_dealer=0, games=1), (120, 100))
    assert (state.phase, state.winner) == (Phase.OVER, 0)


def test_equal_match_points_are_a_draw() -> None:
    ruleset = Ruleset(first_dealer=0, games=2)
    state = won(ruleset, (120, 100))
    state, _ = make(state, "- deal AH2H3H4H5HJH AC2C3C4C5CJC", "0 discard AH2H", "1 discard AC2C")
    state, events = make(replace(state, scores=(100, 120)), "- starter JS")
    assert (state.phase, state.winner, state.match_points) == (Phase.OVER, None, (1, 1))
    assert events[-1] == MatchOver(None, (1, 1))


def test_after_the_match_nothing_is_legal() -> None:
    state = won(Ruleset(first_dealer=0), (120, 75))
    assert legal(state, 0).action == legal(state, 1).action == "over"
    for text in ("0 play 5H", "- cut 5H 6H", "1 resign", "0 pass"):
        with pytest.raises(IllegalMove) as caught:
            make(state, text)
        assert caught.value.code == "match_over"


def test_a_player_of_two_may_resign_and_loses_the_game_and_the_match() -> None:
    kept = ("2H4H6H8H", "2C4C6C8C")
    state = before_starter(kept, "AHKHACKC", Ruleset(first_dealer=0, games=3), (50, 10))
    state, events = make(state, "0 resign")
    assert (state.phase, state.winner, state.resigned) == (Phase.OVER, 1, 0)
    assert events == [Resigned(0), MatchOver(1, (0, 1))]
    assert state.results[0].points == 1  # no skunk is claimed


def test_resigning_before_the_first_deal_or_between_games_ends_the_match() -> None:
    state, _ = make(start(Ruleset()), "1 resign")
    assert (state.winner, state.phase) == (0, Phase.OVER)
    state, _ = make(won(Ruleset(first_dealer=0, games=3), (120, 75)), "0 resign")
    assert (state.winner, len(state.results)) == (1, 1)


def test_a_player_of_three_cannot_resign() -> None:
    with pytest.raises(IllegalMove) as caught:
        make(start(THREE_PLAYERS), "0 resign")
    assert caught.value.code == "cannot_resign"


def test_the_back_peg_stays_where_the_front_peg_was() -> None:
    kept = ("2H4H6H8H", "2C4C6C8C")
    state = before_starter(kept, "AHKHACKC", scores=(50, 10))
    state, _ = make(state, "- starter JS")
    assert (state.scores, state.trailing) == ((52, 10), (50, 0))


def test_the_final_events_have_winner_scores_skunks_and_points() -> None:
    kept = ("2H4H6H8H", "2C4C6C8C")
    state = before_starter(kept, "AHKHACKC", scores=(119, 10))
    _, events = make(state, "- starter JS")
    assert events[-2] == GameWon(1, 0, (121, 10), (0, 2), 3)
    assert events[-1] == MatchOver(0, (3, 0))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 4}, "players is 4; allowed: 2, 3"),
        ({"players": True}, "players is True"),
        ({"target": 120}, "target is 120; allowed: 121, 61"),
        ({"counting": "none"}, "counting is 'none'"),
        ({"muggins": True}, "muggins needs manual counting"),
        ({"muggins": 1}, "muggins is 1"),
        ({"games": 0}, "games is 0"),
        ({"games": 10}, "games is 10"),
        ({"double_skunk": 5}, "double_skunk is 5"),
        ({"first_dealer": 2}, "first_dealer is 2; seats are 0 to 1"),
        ({"first_dealer": "0"}, "first_dealer is '0'"),
        ({"jokers": 2}, "unknown rules: jokers"),
        ({"players": [2]}, r"players is \[2\]"),
    ],
)
def test_unsupported_rules_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(RulesetError, match=message):
        Ruleset.from_dict(fields)


def test_a_ruleset_round_trips_through_a_dict() -> None:
    ruleset = Ruleset(players=3, target=61, counting="manual", muggins=True, games=5)
    assert Ruleset.from_dict(ruleset.to_dict()) == ruleset


def test_clients_get_all_rules_but_the_first_scores() -> None:
    ruleset = Ruleset(players=2, scores=(40, 52))
    assert ruleset.public_dict() == Ruleset(players=2).to_dict()


@pytest.mark.parametrize("scores", [(121, 0), (-1, 0), (True, 0), (5,), (5, 5, 5)])
def test_a_game_begins_with_a_possible_score_for_each_seat(scores: tuple[int, ...]) -> None:
    assert Ruleset(scores=(120, 0)).scores == (120, 0)
    with pytest.raises(RulesetError, match="allowed: 2 x 0-120"):
        Ruleset(scores=scores)


def test_pegging_nothing_moves_no_peg() -> None:
    state = peg(start(Ruleset(scores=(10, 20))), 0, 5)
    assert (state.scores, state.trailing[0]) == ((15, 20), 10)
    assert peg(state, 0, 0) is state


@pytest.mark.parametrize("seed", range(4))
def test_the_dealer_of_the_last_hand_is_shown_once_the_match_is_over(seed: int) -> None:
    *_before, last = random_match(TWO, seed)
    ended = last.step.state
    assert ended.phase is Phase.OVER
    assert view_for(ended, 0).dealer == ended.hands[-1].dealer
