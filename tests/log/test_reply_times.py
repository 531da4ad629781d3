"""Reply times by correspondence: what counts, the median, and that each match counts once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from games.archive.measuring import measure
from games.engine.state import Ruleset
from games.log import reply_times
from games.log.reply_times import LEAST, replies
from games.log.store import Entry
from games.models import Move, ReplyTimes, Vacation
from games.pages.archive.player import _reply_words
from games.people.accounts import create_guest, merge_guest
from games.tables.tables import create_match, join_match
from tests.support.letters import make_person
from tests.support.played import play_on

HOUR = timedelta(hours=1)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def entry(number: int, hours: float, seat: int | None, text: str, client: str = "c") -> Entry:
    return Entry(1, number, seat, text, client if seat is not None else "", NOON + hours * HOUR)


LOG = [
    entry(0, 0, None, "- deal x"),
    entry(1, 2, 1, "1 discard 5H5C"),
    entry(2, 5, 0, "0 discard AHAC"),
    entry(3, 5, None, "- starter KC"),
    entry(4, 9, 1, "1 play 2H"),
    entry(5, 10, 0, "0 play 3H"),
    entry(6, 11, 0, "0 play 4H"),
    entry(7, 14, 1, "1 play 6H", ""),
]


class TestWhatCounts:
    def test_from_the_request_to_the_move(self) -> None:
        assert replies(LOG, 0, []) == [5 * HOUR, 1 * HOUR], "not the second card in a row"
        assert replies(LOG, 1, []) == [2 * HOUR, 4 * HOUR], "not what was played for them"

    def test_days_off_do_not_count(self) -> None:
        off = [(NOON + 6 * HOUR, NOON + 8 * HOUR), (NOON - HOUR, NOON + HOUR)]
        assert replies(LOG, 1, off) == [1 * HOUR, 2 * HOUR]


@pytest.mark.django_db
class TestTheMedian:
    def test_there_is_none_before_some_replies(self) -> None:
        ann = make_person("ann")
        reply_times._count(ann.pk, [HOUR] * (LEAST - 1))
        assert reply_times.median(ann) is None
        reply_times._count(ann.pk, [HOUR])
        assert reply_times.median(ann) is not None

    @pytest.mark.parametrize("hours", [0.001, 0.3, 1, 7, 30, 200, 5000])
    def test_it_is_right_to_an_eighth_within_its_classes(self, hours: float) -> None:
        ann = make_person("ann")
        reply_times._count(
            ann.pk, [0.1 * HOUR * hours] * 9 + [HOUR * hours] * 11 + [HOUR * 1e5] * 8
        )
        found = reply_times.median(ann)
        assert found is not None
        true = min(max(hours, 1 / 60), 24 * 133)
        assert 0.87 < found / (true * HOUR) < 1.13

    def test_logging_in_from_a_guest_adds_its_replies(self) -> None:
        ann, guest = make_person("ann"), create_guest()
        reply_times._count(ann.pk, [HOUR] * 12)
        reply_times._count(guest.pk, [HOUR] * 8)
        merge_guest(guest=guest, account=ann)
        assert reply_times.median(ann) is not None
        assert ReplyTimes.objects.get().player == ann

    @pytest.mark.parametrize(
        ("time", "words"),
        [
            (None, ""),
            (timedelta(seconds=40), "1 minute"),
            (timedelta(minutes=44), "44 minutes"),
            (timedelta(minutes=100), "2 hours"),
            (timedelta(hours=30), "30 hours"),
            (timedelta(hours=60), "2 days"),
        ],
    )
    def test_it_is_shown_in_whole_units(self, time: timedelta | None, words: str) -> None:
        assert _reply_words(time) == words


@pytest.mark.django_db(transaction=True)
def test_a_finished_match_counts_once_and_the_profile_shows_it(client: Client) -> None:
    ann, bob = make_person("ann"), make_person("bob")
    match = create_match(creator=ann, ruleset=Ruleset(), days=3)
    join_match(player=bob, invite=match.invite)
    play_on(match.public_id)
    for row in Move.objects.filter(match=match):
        client_id = "" if row.seat is None else f"c-{row.sequence}"
        Move.objects.filter(pk=row.pk).update(
            at=NOON + 2 * HOUR * row.sequence, client_id=client_id
        )
    Vacation.objects.create(player=bob, began=NOON, until=NOON + timedelta(days=90))
    for _ in range(2):
        measure(match=match.pk)
    counted = {row.player.name: sum(row.counts) for row in ReplyTimes.objects.all()}
    moves = Move.objects.filter(match=match, seat=0).count()
    assert LEAST < counted["ann"] <= moves
    page = client.get(f"/players/{ann.public_id}/").content.decode()
    assert "2 hours <small>by correspondence" in page
    assert reply_times.median(bob) is not None
