"""The writer: a move with the deals that follow it and the summaries that it causes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.engine.moves import Chance, to_text
from games.engine.state import Ruleset
from games.log import store, summaries, verify
from games.log.store import Entry
from games.log.writer import Append, Writer
from games.models import Hand, Match
from tests.support.at_once import waits_for_lock
from tests.support.people import make_match
from tests.support.positions import random_match
from tests.support.waiting import DEADLINE, wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def grouped_moves(match: int, seed: int) -> list[Append]:
    """Return the moves of a random match, each with the deals after it, as a table stores them."""
    found: list[Append] = []
    for sequence, moment in enumerate(random_match(Ruleset(), seed)):
        seat = None if isinstance(moment.move, Chance) else moment.move.seat
        entry = Entry(match, sequence, seat, to_text(moment.move), "", timezone.now())
        change = summaries.effects(match, moment.state, moment.step.state, entry.at)
        if seat is None and found:
            last = found[-1]
            followers = (*last.followers, entry)
            found[-1] = Append(last.entry, last.effects or change, followers=followers)
        else:
            found.append(Append(entry, change))
    return found


def test_matches_are_stored_as_their_logs_say_move_by_move() -> None:
    """Of two matches at once: in a batch one may end a hand, and the other be dealt cards."""
    matches = [make_match()[0], make_match()[0]]
    writer = Writer()
    one, two = (grouped_moves(match.pk, seed) for seed, match in enumerate(matches))
    for number in range(max(len(one), len(two))):
        batch = [moves[number] for moves in (one, two) if number < len(moves)]
        assert writer.work(batch) == [True] * len(batch)
    for match in matches:
        stored = Match.objects.get(pk=match.pk)
        assert stored.status == Match.Status.FINISHED
        assert stored.hands.count() > 1
        assert list(verify.differences(stored)) == []


def test_what_follows_an_entry_that_lost_is_not_written() -> None:
    """Another process has written this sequence: its entry may be followed by another deal."""
    lost, won = make_match()[0].pk, make_match()[0].pk
    ends = next(each for each in grouped_moves(lost, 1) if each.effects and each.effects.hand)
    number = ends.entry.sequence
    assert ends.followers
    before = [Entry(lost, at, None, "", "", timezone.now()) for at in range(number + 1)]
    assert len(store.append(before)) == number + 1
    first = Entry(won, 0, None, "- cut AC 5D", "", timezone.now())
    after = (Entry(won, 1, None, "- deal", "", timezone.now()),)
    assert Writer().work([ends, Append(first, followers=after)]) == [False, True]
    assert store.lengths([lost, won]) == {lost: number + 1, won: 2}
    assert not Hand.objects.exists()


def test_the_end_of_a_match_that_lost_is_not_written() -> None:
    """In the same batch another match ends."""
    first, second = make_match()[0].pk, make_match()[0].pk
    writer = Writer()
    ends = []
    for match in (first, second):
        *others, last = grouped_moves(match, 1)
        writer.work(others)
        ends.append(last)
    store.append([Entry(first, ends[0].entry.sequence, 0, "0 resign", "", timezone.now())])
    assert writer.work(ends) == [False, True]
    statuses = dict(Match.objects.values_list("pk", "status"))
    assert statuses == {first: Match.Status.PLAYING, second: Match.Status.FINISHED}
    assert list(verify.differences(Match.objects.get(pk=second))) == []


def test_of_two_entries_with_one_number_the_first_is_written_with_what_follows_it() -> None:
    """A move whose sender was cut off waits in the same batch as the next move of its match."""
    match, other = make_match()[0].pk, make_match()[0].pk
    first, second = (
        Entry(match, 0, None, f"- cut {cards}", "", timezone.now()) for cards in ("AC 5D", "5D AC")
    )
    deals = [Entry(match, 1, None, f"- deal {number}", "", timezone.now()) for number in (1, 2)]
    batch = [
        Append(first, followers=(deals[0],)),
        Append(second, followers=(deals[1],)),
        Append(Entry(other, 0, None, "- cut AC 5D", "", timezone.now())),
    ]
    assert Writer().work(batch) == [True, False, True]
    assert [entry.text for entry in store.whole(match)] == [first.text, deals[0].text]


def test_two_processes_with_the_same_matches_never_wait_for_each_other() -> None:
    """PostgreSQL would find that after a second, end one of them and log its entries."""
    one, two = (
        Entry(make_match()[0].pk, 0, None, "- cut AC 5D", "", timezone.now()) for _ in range(2)
    )

    held, may_go_on = threading.Event(), threading.Event()

    def here() -> int:
        try:
            with transaction.atomic():
                won = store.append([one])
                held.set()
                may_go_on.wait(DEADLINE)
                return len(won | store.append([two]))
        finally:
            connection.close()

    def elsewhere() -> int:
        try:
            return len(store.append([two, one]))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(here)
        assert held.wait(DEADLINE)
        second = pool.submit(elsewhere)
        wait_for(waits_for_lock)
        may_go_on.set()
        assert (first.result(DEADLINE), second.result(DEADLINE)) == (2, 0)
