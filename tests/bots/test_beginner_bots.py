"""What the weaker computers see and overlook."""

import random

from games.analysis.arena import chance_move, pack
from games.bots import get
from games.bots.beginner_bots import Alfie, Elsie, Nora, Poppy, crib_estimate, visible_points
from games.bots.club_bot import Walter
from games.bots.player import Player
from games.bots.yardsticks import Keen, Novice, Plain
from games.engine import rules
from games.engine.cards import PACK, RANK, SUIT, Card, card_names, parse_card, parse_cards
from games.engine.moves import Deal, Discard, Move, Play, Starter
from games.engine.scoring import score_hand
from games.engine.state import Ruleset
from games.engine.view import View, view_for


def dealt(text: str, other: str = "AC2D7C8H9SKD", *, dealer: int = 1) -> View:
    """Return the view of seat 0, who has been dealt ``text``; pone, unless it deals."""
    state = rules.start(Ruleset(first_dealer=dealer))
    step = rules.apply(state, Deal((parse_cards(text), parse_cards(other))))
    return view_for(step.state, 0)


def throws_of_three(text: str, dealer: int, player: Player | None = None) -> set[str]:
    """Return what a player throws of five cards with three seats, at many scores.

    The plain player, unless another is given.
    """
    cards = parse_cards(text)
    rest = [card for card in PACK if card not in cards]
    deal = Deal((cards, tuple(rest[:5]), tuple(rest[5:10])), rest[10])
    chooses = player or Plain()
    throws = set()
    for score in range(20):
        state = rules.start(Ruleset(players=3, first_dealer=dealer, scores=(score, 0, 0)))
        throws.add(card_names(chooses.discard(view_for(rules.apply(state, deal).state, 0))))
    return throws


def answer_of_three(player: Player, hand: str, *plays: str) -> str:
    """Return the card played from ``hand`` after at most two plays of others, with three seats."""
    own = parse_cards(hand)
    rest = [card for card in PACK if card not in {*own, *parse_cards("".join(plays))}]
    hands = [*([parse_card(card)] for card in plays), [*own], [], []][:3]
    for held in hands:
        held += [rest.pop() for _ in range(5 - len(held))]
    state = rules.start(Ruleset(players=3, first_dealer=2))
    moves: list[Move] = [
        Deal((tuple(hands[0]), tuple(hands[1]), tuple(hands[2])), rest.pop()),
        *(Discard(seat, (hands[seat][4],)) for seat in range(3)),
        Starter(rest.pop()),
        *(Play(seat, parse_card(card)) for seat, card in enumerate(plays)),
    ]
    for move in moves:
        state = rules.apply(state, move).state
    return card_names([player.play(view_for(state, len(plays)))])


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


def test_a_run_within_a_longer_run_does_not_count() -> None:
    assert found_in("8C9DTHJS") == ["run 8C9DTHJS 4"]
    assert found_in("8C9CTHJSQD") == ["run 8C9CTHJSQD 5"]
    assert found_in("8C8D9DTHJS") == ["pair 8C8D 2", "run 8C9DTHJS 4", "run 8D9DTHJS 4"]


def stranger(hand: tuple[Card, ...]) -> Card:
    """Return a starter that makes no pair, run or flush with a hand."""
    return next(
        starter
        for starter in PACK
        if SUIT[starter] != SUIT[hand[0]]
        and all(abs(RANK[starter] - RANK[card]) > 1 for card in hand)
    )


def test_beginners_count_four_cards_as_the_rules_without_starter_and_nobs() -> None:
    rng = random.Random(4)
    for _ in range(5_000):
        four = tuple(sorted(rng.sample(PACK, 4)))
        starter = stranger(four)
        parts = score_hand(four, starter).parts
        ours = (part for part in parts if part.kind != "nobs" and starter not in part.cards)
        points = sum(part.points for part in ours)
        assert sum(points for *_, points in visible_points(four)) == points, card_names(four)


def test_beginners_count_five_cards_as_the_rules_count_a_crib_without_nobs() -> None:
    rng = random.Random(5)
    for _ in range(5_000):
        five = tuple(sorted(rng.sample(PACK, 5)))
        parts = score_hand(five[:4], five[4], is_crib=True).parts
        points = sum(part.points for part in parts if part.kind != "nobs")
        assert sum(points for *_, points in visible_points(five)) == points, card_names(five)


def test_fives_and_pairs_raise_the_crib_estimate() -> None:
    assert crib_estimate(parse_cards("5H5C")) > crib_estimate(parse_cards("5HTC")) - 1
    assert crib_estimate(parse_cards("KH2C")) == 0


def thrown_by(player: Player, text: str, *, dealer: int = 1) -> set[str]:
    """Return what a player in seat 0 throws of six cards, at many scores."""
    rest = tuple(card for card in PACK if card not in parse_cards(text))[:6]
    throws = set()
    for score in range(20):
        state = rules.start(Ruleset(first_dealer=dealer, scores=(score, 0)))
        state = rules.apply(state, Deal((parse_cards(text), rest))).state
        throws.add(card_names(sorted(player.discard(view_for(state, 0)))))
    return throws


def answer_of(player: Player, hand: str, *plays: str) -> str:
    """Return the dealer's next card from ``hand`` after these plays, beginning with pone's."""
    own = parse_cards(hand)
    led = parse_cards("".join(plays[::2]))
    rest = [card for card in PACK if card not in {*own, *led}]
    pone, first, second = (*led, *rest[: 4 - len(led)]), rest[4:6], rest[6:8]
    state = rules.start(Ruleset(first_dealer=1))
    moves: list[Move] = [
        Deal(((*pone, *first), (*own, *second))),
        Discard(0, tuple(first)),
        Discard(1, tuple(second)),
        Starter(rest[8]),
        *(Play(at % 2, parse_card(card)) for at, card in enumerate(plays)),
    ]
    for move in moves:
        state = rules.apply(state, move).state
    return card_names([player.play(view_for(state, 1))])


def test_elsie_forgets_even_her_own_crib() -> None:
    assert thrown_by(Elsie(), "5D5HACAS7C7D", dealer=0) == {"5D5H", "7C7D", "ACAS"}


def test_alfie_overlooks_a_fifteen_of_three_cards_that_nora_and_elsie_see() -> None:
    hand = "2C3D9H9STSKD"  # without the nines two fifteens, otherwise a pair
    assert thrown_by(Nora(), hand) == thrown_by(Elsie(), hand) == {"9H9S"}
    assert "9H9S" not in thrown_by(Alfie(), hand)


def test_nora_overlooks_a_fifteen_of_three_small_cards() -> None:
    hand = "2C6D7STDQSKH"
    assert thrown_by(Plain(), hand) == {"QSKH", "TDQS", "TDKH"}
    assert thrown_by(Nora(), hand) > {"QSKH", "TDQS", "TDKH"}


def test_only_alfie_overlooks_a_flush() -> None:
    hand = "2C4C8CKC9HQD"
    assert thrown_by(Elsie(), hand) == thrown_by(Nora(), hand) == {"9HQD"}
    assert len(thrown_by(Alfie(), hand)) > 3


def test_only_elsie_overlooks_a_run_in_hand() -> None:
    hand = "7C8D9HKSQDAH"  # two points with the seven and eight, and three with the nine as well
    assert {text for text in thrown_by(Alfie(), hand) if "9H" in text} == set()
    assert {text for text in thrown_by(Elsie(), hand) if "9H" in text}


def test_runs_in_the_play_are_overlooked_by_those_below_walter() -> None:
    plays = ("5H", "6D", "4C")
    for player in (Elsie(), Alfie(), Nora()):
        assert answer_of(player, "2C6D7DKC", *plays) == "KC"
    assert answer_of(Walter(), "2C6D7DKC", *plays) == "7D"


def test_fifteens_and_pairs_in_the_play_are_seen_by_all_from_elsie_on() -> None:
    for player in (Elsie(), Alfie(), Nora(), Walter()):
        assert answer_of(player, "8D9CJCQH", "7H") == "8D"
        assert answer_of(player, "7D9CJCQH", "7H") == "7D"


DISTRACTED = (Elsie(), Alfie(), Nora(), Walter())
"""Those who look only at the card before theirs with three seats."""


def test_with_three_seats_those_up_to_walter_lead_their_lowest_card() -> None:
    for player in DISTRACTED:
        assert answer_of_three(player, "5D7CJCKH") == "5D"
    assert answer_of_three(get("grace"), "5D7CJCKH") == "7C"


def test_with_three_seats_those_up_to_walter_see_only_points_with_the_card_before() -> None:
    for player in DISTRACTED:
        assert answer_of_three(player, "2D8CJCKH", "7H") == "8C", "a fifteen of two cards"
        assert answer_of_three(player, "2D8CJCKH", "7H", "2H") == "2D", "a pair"
        assert answer_of_three(player, "6C3DJCKH", "7H", "2H") == "JC", "a fifteen of three"
        assert answer_of_three(player, "8D6CJCKH", "7H", "9H") == "JC", "a run"
    assert answer_of_three(get("grace"), "6C3DJCKH", "7H", "2H") == "6C"


def test_with_three_seats_only_elsie_overlooks_a_flush() -> None:
    hand = "2C4C8CKC9H"  # four points without the nine, and none otherwise
    for player in (Alfie(), Nora(), Walter()):
        assert throws_of_three(hand, 1, player) == {"9H"}
        assert "flush" not in player.description, "it is shown for three seats, too"
    assert len(throws_of_three(hand, 1, Elsie())) > 3


def test_with_three_seats_nora_sees_fifteens_of_small_cards_with_a_five() -> None:
    hand = "2C4D5H8S9C"  # fifteens: two, five and eight; two, four and nine
    assert throws_of_three(hand, 1, Nora()) == {"4D", "9C"}
    assert len(throws_of_three(hand, 1, Alfie())) > 3


def test_with_three_seats_grace_forgets_the_crib() -> None:
    hand = "AD2C3D5H7H"
    assert throws_of_three(hand, 0, get("grace")) == throws_of_three(hand, 1, get("grace"))


def test_walter_weighs_every_starter_which_nora_forgets() -> None:
    hand = "5C6C7D9HKDQS"  # three cards of four make the run; a nine with it meets more starters
    assert thrown_by(Nora(), hand) == {"9HKD", "9HQS", "QSKD"}
    assert thrown_by(Walter(), hand) == {"QSKD"}


def test_walter_forgets_the_crib() -> None:
    hand = "2C5D5H7D8D9H"
    assert thrown_by(Walter(), hand, dealer=0) == thrown_by(Walter(), hand)


def test_the_plain_player_keeps_the_points_in_hand() -> None:
    assert set(Plain().discard(dealt("5HJDQSKC2H9D"))) == set(parse_cards("2H9D"))


def test_the_plain_player_forgets_that_a_five_and_a_ten_card_help_the_dealer() -> None:
    hand = "5D7D8D9D9HKH"  # 10 points without 5D KH, or 9 points (a flush) without 9H KH
    assert set(Plain().discard(dealt(hand))) == set(parse_cards("5DKH"))


def test_the_plain_player_favours_the_own_crib() -> None:
    hand = "2C5D5H7D8D9H"  # 6 points without 7D 9H, or 5 points without the pair of fives
    assert set(Plain().discard(dealt(hand, dealer=0))) == set(parse_cards("5D5H"))
    assert set(Plain().discard(dealt(hand))) == set(parse_cards("7D9H"))


def test_with_three_seats_the_plain_player_favours_only_his_own_crib() -> None:
    hand = "AD2C3D5H7H"  # throwing 5H or 7H leaves the same run of three
    assert throws_of_three(hand, dealer=0) == {"5H"}
    assert throws_of_three(hand, dealer=1) == {"5H", "7H"}
    assert throws_of_three(hand, dealer=2) == {"5H", "7H"}


def test_the_keen_player_does_not_lead_a_five_with_a_lower_card() -> None:
    state = rules.start(Ruleset(first_dealer=1))
    moves = (
        Deal((parse_cards("5H5D4CKDQHJH"), parse_cards("AC2D7C8H9SKC"))),
        Discard(0, parse_cards("QHJH")),
        Discard(1, parse_cards("AC2D")),
        Starter(parse_card("3S")),
    )
    for move in moves:
        state = rules.apply(state, move).state
    assert Keen().play(view_for(state, 0)) == parse_card("4C")


def test_the_novice_overlooks_points_that_the_plain_player_takes() -> None:
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
                state = rules.apply(state, Discard(seat, Plain().discard(view))).state
                continue
            hers, his = Novice().play(view), Plain().play(view)
            before = state.scores[seat]
            worth = rules.apply(state, Play(seat, his)).state.scores[seat] - before
            got = rules.apply(state, Play(seat, hers)).state.scores[seat] - before
            missed += got < worth
            taken += got == worth
            state = rules.apply(state, Play(seat, his)).state
    assert missed > 5
    assert taken > 5 * missed


def test_the_novice_notices_a_run_of_four_more_often_than_each_run_of_three() -> None:
    kept = []
    for score in range(200):
        state = rules.start(Ruleset(first_dealer=1, scores=(score % 100, score // 100)))
        deal = Deal((parse_cards("AH8C9DTHJSKC"), parse_cards("2C2D3C4D5C6C")))
        kept.append(Novice().discard(view_for(rules.apply(state, deal).state, 0)))
    whole = sum(set(thrown) == set(parse_cards("AHKC")) for thrown in kept)
    assert 0.72 * len(kept) < whole < 0.93 * len(kept)


def test_poppy_overlooks_more_than_the_novice() -> None:
    points = {Poppy: 0, Novice: 0}
    for seed in range(60):
        state = rules.start(Ruleset(first_dealer=1))
        state = rules.apply(state, chance_move(state, pack(seed, 1))).state
        for player in points:
            view = view_for(state, 0)
            kept = sorted(set(view.cards) - set(player().discard(view)))
            points[player] += sum(each for *_, each in visible_points(tuple(kept)))
    assert 0 < points[Poppy] < 0.95 * points[Novice]
