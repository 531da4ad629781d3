"""What a finished match adds to its players' tallies, streaks and best hands."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from games.analysis import deal_values
from games.archive.measuring import measure, measure_missed, unmeasured
from games.archive.record_files import export_match, import_record
from games.engine.cards import PACK, parse_card, parse_cards
from games.engine.scoring import count_hand
from games.log import player_stats
from games.models import HandSeat, Match, Outcome, Player, Seat, Streak, Tally
from games.people.accounts import create_guest, merge_guest
from tests.support.at_once import waits_for_lock
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.django_db


def finished(**rules: object) -> tuple[Match, list[Player]]:
    """Return a finished match between guests, not yet measured."""
    match, people = make_match(**rules)
    play_on(match.public_id)
    match.refresh_from_db()
    return match, people


@pytest.mark.parametrize("players", [2, 3])
def test_a_seat_records_when_its_match_ended_and_against_whom(players: int) -> None:
    match, people = finished(players=players)
    for row in match.seats.order_by("seat"):
        left = people[(row.seat + 1) % players]
        right = people[(row.seat + 2) % players] if players == 3 else None
        assert (row.opponent, row.opponent_2) == (left, right)
        assert (row.ended_at, row.kind, row.places) == (match.finished_at, 0, players)
        assert row.computers == 0


def test_margins_of_a_match_cancel_out() -> None:
    match, _ = finished(players=3, games=2)
    assert sum(row.margin or 0 for row in match.seats.all()) == pytest.approx(0)
    best = max(match.seats.all(), key=lambda row: row.margin or 0)
    assert best.margin is not None
    assert best.margin > 0


def test_every_skunk_is_recorded_for_winner_and_loser() -> None:
    for seed in range(8):
        match, _ = make_match()
        play_on(match.public_id, seed=seed)
    given = sum(Seat.objects.values_list("skunks", flat=True))
    assert given == sum(Seat.objects.values_list("skunked", flat=True)) > 0
    lost = Seat.objects.filter(skunked=1)
    assert all(row.score is not None and row.score <= 90 and not row.won for row in lost)


@pytest.mark.parametrize("players", [2, 3])
def test_tallies_are_the_sums_over_all_deals(players: int) -> None:
    match, people = finished(players=players)
    assert measure(match=match.pk)
    for seat, player in enumerate(people):
        own = HandSeat.objects.filter(seat__match=match, seat__seat=seat)
        for dealer in (False, True):
            tally = Tally.objects.get(player=player, dealer=dealer, seats=players)
            rows = own.filter(is_dealer=dealer).select_related("hand")
            assert tally.deals == len(rows)
            assert tally.hands == sum(
                count_hand(player_stats.kept_cards(row), parse_card(row.hand.starter))
                for row in rows
            )
            assert tally.worth_hands == pytest.approx(sum(row.worth_hand or 0 for row in rows))
            whole = [row for row in rows if len(row.hand.plays.split()) == 4 * players]
            assert (tally.plays, tally.pegging) == (len(whole), sum(row.pegging for row in whole))
            assert bool(tally.cribs) == dealer


def test_a_match_is_measured_only_once() -> None:
    match, people = finished()
    assert measure(match=match.pk)
    before = list(Tally.objects.order_by("pk").values())
    assert not measure(match=match.pk)
    assert list(Tally.objects.order_by("pk").values()) == before
    assert Streak.objects.get(player=people[0]).current in {1, -1}


def test_an_unfinished_match_is_not_measured() -> None:
    match, _ = make_match()
    play_on(match.public_id, moves=60)
    assert not measure(match=match.pk)
    assert not HandSeat.objects.exclude(worth=None).exists()


def test_matches_that_were_missed_are_measured_by_a_job() -> None:
    old, _ = finished()
    Match.objects.filter(pk=old.pk).update(finished_at=timezone.now() - timedelta(hours=1))
    assert unmeasured() == [old.pk]
    measure_missed.call()
    assert unmeasured() == []


def test_a_substitutes_play_counts_for_no_player() -> None:
    match, people = finished()
    match.seats.filter(seat=1).update(substituted=True)
    measure(match=match.pk)
    assert {tally.player for tally in Tally.objects.all()} == {people[0]}


def test_an_imported_match_counts_for_no_statistics() -> None:
    match, _ = finished()
    (record,) = export_match(match=match)
    copy = import_record(data=record)
    assert measure(match=copy.pk)
    assert not Tally.objects.exists()
    assert not Streak.objects.exists()
    assert set(copy.seats.values_list("kind", flat=True)) == {Seat.Kind.IMPORTED}


def test_the_best_hand_is_the_highest_one_held() -> None:
    match, _ = finished()
    measure(match=match.pk)
    for row in match.seats.all():
        counts = [
            player_stats.hand_points(part)
            for part in player_stats.hands_of_seats(Seat.objects.filter(pk=row.pk))
        ]
        assert row.best_hand == max(count for count in counts if count is not None)


def test_streaks_grow_and_break_and_the_longest_is_kept() -> None:
    player = create_guest()
    now = timezone.now()
    for won in (True, True, True, False, False, True, None):
        player_stats.add_result(player=player.pk, won=won, at=now)
    streak = Streak.objects.get(player=player)
    assert (streak.current, streak.longest) == (0, 3)


def test_merging_a_guest_moves_all_their_statistics_to_the_account() -> None:
    match, (guest, other) = finished()
    measure(match=match.pk)
    before = {t.dealer: (t.deals, t.hands) for t in Tally.objects.filter(player=guest)}
    streak = Streak.objects.get(player=guest).current
    account = Player.objects.create_user("Margery")
    merge_guest(guest=guest, account=account)
    after = {t.dealer: (t.deals, t.hands) for t in Tally.objects.filter(player=account)}
    assert after == before
    assert Streak.objects.get(player=account).current == streak
    assert Seat.objects.get(match=match, player=other).opponent == account


def test_a_guest_who_logs_in_while_their_match_is_measured_takes_it_to_the_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, (guest, _) = finished()
    account = Player.objects.create_user("Margery")

    def read_before_the_login(seats: QuerySet[Seat]) -> list[HandSeat]:
        monkeypatch.undo()
        parts = player_stats.hands_of_seats(seats)
        merge_guest(guest=guest, account=account)
        return parts

    monkeypatch.setattr(player_stats, "hands_of_seats", read_before_the_login)
    assert measure(match=match.pk)
    counted = Tally.objects.filter(player=account)
    own = HandSeat.objects.filter(seat__match=match, seat__player=account)
    assert sum(tally.deals for tally in counted) == own.count() > 0


def test_a_guest_who_logs_in_before_their_match_is_measured_has_one_result() -> None:
    match, (guest, _) = finished()
    account = Player.objects.create_user("Margery")
    merge_guest(guest=guest, account=account)
    assert measure(match=match.pk)
    assert abs(Streak.objects.get(player=account).current) == 1


@pytest.mark.django_db(transaction=True)
def test_no_match_is_measured_while_its_guest_logs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    match, (guest, _) = finished()
    account = Player.objects.create_user("Margery")
    move = player_stats.move
    with ThreadPoolExecutor(1) as pool:
        measuring: list[Future[bool]] = []

        def move_meanwhile(**args: Any) -> None:
            move(**args)
            measuring.append(pool.submit(measure_apart, match.pk))
            wait_for(lambda: measuring[0].done() or waits_for_lock())

        monkeypatch.setattr(player_stats, "move", move_meanwhile)
        merge_guest(guest=guest, account=account)
        assert measuring[0].result(DEADLINE)
    own = HandSeat.objects.filter(seat__match=match, seat__player=account)
    counted = Tally.objects.filter(player=account)
    assert sum(tally.deals for tally in counted) == own.count() > 0
    assert abs(Streak.objects.get(player=account).current) == 1


def measure_apart(match: int) -> bool:
    """Measure a match over a connection that is closed afterwards."""
    try:
        return measure(match=match)
    finally:
        connection.close()


def test_a_seat_that_cannot_be_merged_stays_in_the_guests_tally() -> None:
    match, (guest, other) = finished()
    measure(match=match.pk)
    before = Tally.objects.filter(player=guest).values_list("deals", flat=True)
    expected = list(before)
    merge_guest(guest=guest, account=other)  # a player cannot sit twice: the guest keeps the seat
    assert list(Tally.objects.filter(player=guest).values_list("deals", flat=True)) == expected
    # Each has the one result of their own seat: somebody else may have played the guest's.
    counted = Outcome.objects.order_by("player").values_list("player", "result", "matches")
    results = {seat.player_id: int(bool(seat.won)) for seat in match.seats.all()}
    assert list(counted) == [(pk, results[pk], 1) for pk in sorted(results)]


def test_the_exact_mean_and_variance_match_random_deals() -> None:
    import numpy as np

    rng = np.random.default_rng(11)
    for (seats, role), (mean, variance) in deal_values.DEALS.items():
        number = 6 if seats == 2 else 5
        deals = [rng.choice(52, number, replace=False) for _ in range(1500)]
        totals = [
            deal_values.deal_value(list(map(int, deal)), seats=seats, role=role).total
            for deal in deals
        ]
        assert abs(np.mean(totals) - mean) < 4.5 * (variance / len(deals)) ** 0.5
        assert abs(np.var(totals) / variance - 1) < 0.25


def test_starter_luck_cancels_out_over_all_starters() -> None:
    cards = parse_cards("5H 5C JS QD 2C 9H")
    kept = cards[:4]
    starters = [card for card in PACK if card not in cards]
    luck = [deal_values.starter_luck(kept, cards, card, dealer=True) for card in starters]
    assert sum(each.points for each in luck) == pytest.approx(0)
    mean_square = sum(each.points**2 for each in luck) / len(luck)
    assert luck[0].variance == pytest.approx(mean_square)
    jack = deal_values.starter_luck(kept, cards, parse_card("JD"), dealer=True).points
    pone = deal_values.starter_luck(kept, cards, parse_card("JD"), dealer=False).points
    assert jack - pone == pytest.approx(2 - deal_values.heels(cards))


def test_crib_luck_is_measured_against_every_possible_starter() -> None:
    crib = parse_cards("5H 5C 5S JD")
    lucky = deal_values.crib_luck(crib, crib, parse_card("5D"))
    means = [count_hand(crib, card, is_crib=True) for card in PACK if card not in crib]
    assert lucky.points == pytest.approx(29 - sum(means) / len(means))


def test_the_margin_of_a_single_game_is_the_score_difference() -> None:
    match, _ = finished(target=61)
    own, other = match.seats.order_by("seat")
    assert own.score is not None
    assert other.score is not None
    assert own.margin == own.score - other.score


def test_the_command_measures_all_unmeasured_matches() -> None:
    matches = [finished()[0] for _ in range(2)]
    said = StringIO()
    call_command("measure_matches", stdout=said)
    assert said.getvalue() == "2 matches measured\n"
    assert all(Match.objects.get(pk=match.pk).measured for match in matches)
