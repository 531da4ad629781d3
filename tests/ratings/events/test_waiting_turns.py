"""Tournaments: which table does not wait, and which of several that wait goes first."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.people.accounts import create_guest, merge_guest
from ratings.clubs import nights
from ratings.events import events
from ratings.events.waiting import awaited_entrants
from ratings.models import EventEntrant, EventRound, EventTable
from tests.support.evenings import club_of, night_of
from tests.support.moderators import ban
from tests.support.seated_elsewhere import over, pass_time, ranked_match, seated
from tests.support.tournaments import (
    again,
    begun,
    entrant,
    finish,
    planned,
    tables,
    under_way,
    work,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event", "fixed_cards")]


def test_a_bye_is_awarded_at_once_to_who_sits_at_another_table() -> None:
    event, who = planned("knockout", 3)
    for at, player in enumerate(who[1:]):
        ranked_match(player, 70 + at)
    events.begin(event=event, by=who[0])
    work()
    bye = next(table for table in tables(event, 1) if table.second is None)
    assert bye.winner == bye.first
    pass_time(event, 5)
    assert bye.first
    assert not entrant(event, bye.first.player).absent
    assert again(event).is_over or tables(event, 2)


def test_a_walkover_is_awarded_at_once_to_who_sits_at_another_table() -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    number = entrant(event, who[2]).number
    events.mark(event=event, by=who[0], number=number, absent=True)
    work()
    (table,) = tables(event, 1)
    assert table.winner == entrant(event, who[1])
    assert again(event).is_over
    assert entrant(event, who[1]).place == 1
    assert not entrant(event, who[1]).absent


def test_a_walkover_against_a_banned_player_is_awarded_at_once() -> None:
    """They sat at no table when they were banned: a night had waited for them longer."""
    event, who = planned("knockout", 2)
    club, members = club_of(1, 40)
    ranked_match(members[0])
    night = night_of(club, members[0], games=1, entrants=[members[0], who[1]])
    nights.begin(night=night, by=members[0])
    events.begin(event=event, by=who[0])
    work()
    assert tables(event, 1)[0].winner is None
    ban(who[1])
    work()
    assert tables(event, 1)[0].winner == entrant(event, who[2])
    assert again(event).is_over


def test_a_walkover_against_a_guest_who_is_entered_twice_is_awarded_at_once() -> None:
    """They log in to an account that plays in the same tournament."""
    event, who = planned("knockout", 3)
    guest = create_guest()
    events.join(event=event, player=guest, token=event.token)
    ranked_match(guest)
    events.begin(event=event, by=who[0])
    work()
    own = entrant(event, guest)
    (waits,) = [table for table in tables(event, 1) if own in (table.first, table.second)]
    opponent = waits.second if waits.first == own else waits.first
    account = next(player for player in who[1:] if opponent and player != opponent.player)
    merge_guest(guest=guest, account=account)
    work()
    (waits,) = [table for table in tables(event, 1) if own in (table.first, table.second)]
    assert waits.winner == opponent


def test_a_bye_does_not_wait_for_a_club_night() -> None:
    event, who = planned("robin", 3)
    club, members = club_of(1, 40)
    ranked_match(members[0])
    night = night_of(club, members[0], games=1, entrants=[members[0], *who[1:]])
    nights.begin(night=night, by=members[0])
    events.begin(event=event, by=who[0])
    work()
    (bye,) = [table for table in tables(event, 1) if None in (table.first, table.second)]
    assert bye.ended_at is not None


def test_going_on_without_a_pause_does_not_begin_the_wait_anew() -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    pass_time(event, 4)
    events.pause(event=event, by=who[0], paused=False)
    pass_time(event, 1)
    assert entrant(event, who[1]).absent


@pytest.mark.parametrize("way", ["ends", "leaves", "is marked"])
def test_an_arena_goes_on_once_a_night_no_longer_waits(way: str) -> None:
    event, who = begun("arena", 2)
    club, members = club_of(3, 40)
    ranked_match(members[0])
    night = night_of(club, members[0], games=1, entrants=[who[1], members[0]])
    nights.begin(night=night, by=members[0])
    (match,) = under_way(event)
    over(match)
    EventTable.objects.update(ended_at=timezone.now() - timedelta(minutes=1))
    pass_time(event, 1)
    assert not under_way(event)
    if way == "ends":
        nights.end(night=night, by=members[0])
    elif way == "leaves":
        nights.leave(night=night, player=who[1])
    else:
        nights.mark(night=night, by=members[0], player=who[1], absent=True)
    work()
    assert seated(event) == set(who[1:])


def test_a_busy_tournament_lets_one_go_first_that_has_waited_longer() -> None:
    busy, who = begun("swiss", 2, rounds=4)
    waits, others = planned("knockout", 1, start=40)
    events.join(event=waits, player=who[1])
    events.begin(event=waits, by=others[0])
    work()
    (match,) = under_way(busy)
    over(match)
    assert seated(waits) == {who[1], others[1]}
    assert not under_way(busy)
    (match,) = under_way(waits)
    over(match)
    assert seated(busy) == set(who[1:])


@pytest.mark.parametrize("way", ["leaves", "is marked", "is paused", "ends", "waited"])
def test_an_arena_goes_on_once_another_tournament_no_longer_waits(way: str) -> None:
    event, who = begun("arena", 2)
    waits, others = planned("knockout", 1, start=40)
    events.join(event=waits, player=who[1])
    ranked_match(others[1])
    events.begin(event=waits, by=others[0])
    work()
    (match,) = under_way(event)
    over(match)
    EventTable.objects.filter(ended_at__isnull=False).update(
        ended_at=timezone.now() - timedelta(minutes=1)
    )
    pass_time(event, 1)
    assert not under_way(event)
    number = entrant(waits, who[1]).number
    match way:
        case "leaves":
            events.leave(event=waits, player=who[1])
        case "is marked":
            events.mark(event=waits, by=others[0], number=number, absent=True)
        case "is paused":
            events.pause(event=waits, by=others[0], paused=True)
        case "ends":
            events.end(event=waits, by=others[0])
        case _:
            pass_time(waits, 5)
    work()
    assert seated(event) == set(who[1:])


def test_two_tournaments_that_began_at_once_do_not_wait_for_each_other() -> None:
    first, who = planned("knockout", 2)
    second, others = planned("knockout", 0, start=40)
    for player in who[1:]:
        events.join(event=second, player=player)
    ranked = ranked_match(who[1])
    for event, by in ((second, others[0]), (first, who[0])):
        events.begin(event=event, by=by)
    work()
    EventRound.objects.update(began_at=timezone.now())
    over(ranked)
    assert seated(first) == set(who[1:])
    (match,) = under_way(first)
    over(match)
    assert seated(second) == set(who[1:])


def test_a_series_is_not_overtaken_by_each_new_round_of_another_tournament() -> None:
    """Their player has a free moment only between rounds; at last the series would be lost."""
    series, who = planned("knockout", 2, best_of=3)
    rounds, others = planned("swiss", 1, start=40, rounds=4)
    events.join(event=rounds, player=who[1])
    events.begin(event=series, by=who[0])
    work()
    events.begin(event=rounds, by=others[0])
    work()
    (first,) = under_way(series)
    over(first)
    assert seated(rounds) == {who[1], others[1]}
    assert not under_way(series)
    (match,) = under_way(rounds)
    over(match)
    assert seated(series) == set(who[1:])
    assert not under_way(rounds)
    (second,) = under_way(series)
    over(second)
    assert seated(rounds) == {who[1], others[1]}


def test_who_is_awaited_is_found_without_reading_the_tables_that_play(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Hundreds may play, and no one else is seated anywhere meanwhile."""
    large, who = begun("swiss", 4)
    event, _ = planned("swiss", 2, start=40)
    events.join(event=event, player=who[1])
    assert len(under_way(large)) == 2
    read: list[str] = []
    for model in (EventTable, EventEntrant):
        monkeypatch.setattr(model, "from_db", lambda *_, name=model.__name__: read.append(name))
    assert awaited_entrants(event, timezone.now()) == {}
    assert read == []


def test_a_decided_series_keeps_no_player_from_other_tournaments() -> None:
    """Its round goes on at another table."""
    series, who = begun("knockout", 4, best_of=3)
    for _ in range(2):
        (match,) = [each for each in under_way(series) if each.seats.filter(player=who[1])]
        scores = (121, 90) if match.seats.get(player=who[1]).seat == 0 else (90, 121)
        finish(match, *scores)
    rounds, others = planned("swiss", 1, start=40, rounds=2)
    events.join(event=rounds, player=who[1])
    assert under_way(series)
    # As long as nothing has been done about it, the table is only decided, not over.
    EventTable.objects.filter(round__event=series).update(ended_at=None)
    events.begin(event=rounds, by=others[0])
    work()
    assert seated(rounds) == {who[1], others[1]}


def test_a_table_of_a_tournament_that_is_ended_lets_other_tables_begin_at_once() -> None:
    """Another of its tables goes on, so the tournament is not over."""
    ended, who = planned("knockout", 4)
    other, others = planned("swiss", 1, start=40, rounds=2)
    ranked_match(who[1])
    events.begin(event=ended, by=who[0])
    work()
    (waits,) = [table for table in tables(ended, 1) if table.games.count() == 0]
    (opponent,) = {
        row.player for row in (waits.first, waits.second) if row and row.player != who[1]
    }
    events.join(event=other, player=opponent)
    events.begin(event=other, by=others[0])
    work()
    assert not under_way(other)
    events.end(event=ended, by=who[0])
    work()
    assert not again(ended).is_over
    assert seated(other) == {opponent, others[1]}
