"""Tournaments: a player who sits at another timed table sits at one table only."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.api import Refused
from games.jobs.worker import work_off
from games.models import Player
from games.tables.forfeit import leave_for_good
from ratings.clubs import nights
from ratings.clubs.night_state_machine import MACHINE, advance
from ratings.events import events
from ratings.events.progress import no_longer_await
from ratings.matchmaking import queue
from ratings.models import ClubNight, Event
from ratings.standard.seated import taken_seats
from tests.support.evenings import club_of, night_of
from tests.support.evenings import seated as sitting
from tests.support.evenings import under_way as nights_matches
from tests.support.people import as_
from tests.support.seated_elsewhere import over, pass_time, ranked_match, seated
from tests.support.standard_tables import people, text
from tests.support.tournaments import again, begun, entrant, planned, tables, under_way, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event", "fixed_cards")]


def most_seats(player: Player) -> int:
    """Return the number of timed tables where a player sits."""
    return taken_seats().filter(player=player).count()


def path(event: Event, part: str = "") -> str:
    return f"/tournaments/{event.public_id}/{part}"


@pytest.mark.parametrize("kind", ["swiss", "knockout", "robin"])
def test_a_round_waits_for_a_player_who_is_at_a_ranked_table(kind: str) -> None:
    event, who = planned(kind, 4)
    ann = who[1]
    ranked = ranked_match(ann)
    events.begin(event=event, by=who[0])
    work()
    assert len(under_way(event)) == 1
    assert ann not in seated(event)
    live = as_(ann).get(path(event, "live/"))
    over(ranked)
    assert len(under_way(event)) == 2
    assert most_seats(ann) == 1
    assert ann in seated(event)
    changed = as_(ann).get(path(event, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200


def test_pages_say_for_whom_a_table_waits_and_where_they_play() -> None:
    event, who = planned("knockout", 2)
    ranked = ranked_match(who[1])
    live = as_(who[1]).get(path(event, "live/"))
    events.begin(event=event, by=who[0])
    work()
    own = text(as_(who[1]), path(event))
    assert "You're still playing at another table. Your game here waits for you." in own
    assert f"/t/{ranked.public_id}/" in own
    assert "your game waits 5 minutes for you" in own
    other = text(as_(who[2]), path(event))
    assert "Your next game starts when your opponent is free." in other
    assert ranked.public_id not in other
    assert ranked.public_id not in text(as_(who[0]), path(event))
    changed = as_(who[1]).get(path(event, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200


def test_who_sits_down_elsewhere_while_a_table_waits_is_told() -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    live = as_(who[2]).get(path(event, "live/"))
    ranked_match(who[2], 71)
    changed = as_(who[2]).get(path(event, "live/"), headers={"if-none-match": live["ETag"]})
    assert "You're still playing at another table." in changed.content.decode()


def test_a_knockout_game_is_lost_by_who_sits_elsewhere_when_the_wait_is_over() -> None:
    event, who = planned("knockout", 2, no_show=7)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    pass_time(event, 6)
    assert again(event).is_running
    pass_time(event, 1)
    (table,) = tables(event, 1)
    assert table.winner == entrant(event, who[2])
    assert entrant(event, who[1]).absent
    assert most_seats(who[1]) == 1


def test_the_computer_plays_for_who_sits_elsewhere_when_the_wait_is_over() -> None:
    event, who = planned("swiss", 2, rounds=1)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    pass_time(event, 5)
    assert seated(event) >= {who[2]}
    assert who[1] not in seated(event)
    assert entrant(event, who[1]).absent


def test_a_pause_is_not_part_of_the_wait() -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    events.pause(event=event, by=who[0], paused=True)
    pass_time(event, 60)
    events.pause(event=event, by=who[0], paused=False)
    work()
    assert not entrant(event, who[1]).absent
    assert not under_way(event)
    pass_time(event, 5)
    assert entrant(event, who[1]).absent


def test_the_next_game_of_a_pairing_waits_from_the_end_of_the_last_one() -> None:
    event, who = begun("knockout", 2, best_of=3)
    (first,) = under_way(event)
    pass_time(event, 60)
    ranked = ranked_match(who[1])
    over(first)
    assert not under_way(event)
    assert not entrant(event, who[1]).absent
    over(ranked)
    assert seated(event) == set(who[1:])


def test_an_arena_pairs_only_who_is_free() -> None:
    event, who = planned("arena", 3)
    ranked = ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    assert seated(event) == {who[2], who[3]}
    page = text(as_(who[1]), path(event))
    assert "Finish that game for your next one here." in page
    assert f"/t/{ranked.public_id}/" in page
    assert "pair you while you play elsewhere" in page
    over(ranked)
    (match,) = under_way(event)
    over(match)
    assert who[1] in seated(event)


def test_a_table_begins_once_its_player_has_left_the_ranked_game() -> None:
    event, who = planned("knockout", 2)
    ranked = ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    assert leave_for_good(match=ranked.pk, seat=ranked.seats.get(player=who[1]).seat)
    work()
    assert seated(event) == set(who[1:])


def test_two_tournaments_do_not_seat_a_player_at_once() -> None:
    first, who = begun("knockout", 2)
    second, others = planned("knockout", 1, start=40)
    events.join(event=second, player=who[1])
    events.begin(event=second, by=others[0])
    work()
    assert not under_way(second)
    (match,) = under_way(first)
    over(match)
    assert seated(second) == {who[1], others[1]}


def test_a_tournament_waits_for_a_player_of_a_club_night() -> None:
    club, members = club_of(2, 40)
    night = night_of(club, members[0], games=1, entrants=members)
    nights.begin(night=night, by=members[0])
    event, who = planned("knockout", 1)
    events.join(event=event, player=members[0])
    events.begin(event=event, by=who[0])
    work()
    assert not under_way(event)
    (match,) = nights_matches(night)
    over(match)
    assert seated(event) == {who[1], members[0]}


@pytest.mark.parametrize("kind", ["knockout", "swiss"])
def test_a_game_of_a_club_night_loses_no_game_of_a_tournament(kind: str) -> None:
    """The site has seated the player there, and who leaves that game loses it."""
    club, members = club_of(2, 40)
    night = night_of(club, members[0], games=1, entrants=members)
    nights.begin(night=night, by=members[0])
    event, who = planned(kind, 1, no_show=5)
    events.join(event=event, player=members[0])
    events.begin(event=event, by=who[0])
    work()
    pass_time(event, 60)
    assert not under_way(event)
    assert not entrant(event, members[0]).absent
    page = text(as_(members[0]), path(event))
    assert "It waits for the end of your game at a club night or in another tournament." in page
    (match,) = nights_matches(night)
    over(match)
    assert seated(event) == {who[1], members[0]}


def test_a_game_of_another_tournament_loses_none() -> None:
    first, who = begun("knockout", 2)
    second, others = planned("knockout", 1, start=40)
    events.join(event=second, player=who[1])
    events.begin(event=second, by=others[0])
    work()
    pass_time(second, 60)
    assert not under_way(second)
    (match,) = under_way(first)
    over(match)
    assert seated(second) == {who[1], others[1]}


def test_an_organiser_need_not_wait_for_the_end_of_a_game_elsewhere() -> None:
    club, members = club_of(2, 40)
    night = night_of(club, members[0], games=1, entrants=members)
    nights.begin(night=night, by=members[0])
    event, who = planned("knockout", 1)
    events.join(event=event, player=members[0])
    events.begin(event=event, by=who[0])
    work()
    events.end(event=event, by=who[0])
    work()
    assert again(event).is_over
    assert len(nights_matches(night)) == 1


def test_a_night_waits_for_a_player_of_a_tournament() -> None:
    event, who = begun("knockout", 2)
    club, members = club_of(1, 40)
    night = night_of(club, members[0], games=1, entrants=[members[0], who[1]])
    nights.begin(night=night, by=members[0])
    work_off(["prompt"])
    assert not nights_matches(night)
    (match,) = under_way(event)
    over(match)
    assert len(nights_matches(night)) == 1
    assert MACHINE.rows().get(pk=night.pk).is_running


def late_night(elsewhere: Player) -> tuple[ClubNight, list[Player]]:
    """Begin a night of one game with a player who sits elsewhere, and let the game's time pass."""
    club, members = club_of(1, 40)
    night = night_of(club, members[0], games=1, entrants=[members[0], elsewhere])
    nights.begin(night=night, by=members[0])
    game = night.night_games.get()
    game.began_at = timezone.now() - timedelta(minutes=night.minutes)
    game.save()
    advance(night=MACHINE.rows().get(pk=night.pk))
    return night, members


def test_a_game_of_a_tournament_loses_no_game_of_a_night() -> None:
    """The site has seated the player there, and who leaves that game loses it."""
    event, who = begun("knockout", 2)
    night, members = late_night(who[1])
    assert not nights_matches(night)
    (match,) = under_way(event)
    over(match)
    (table,) = nights_matches(night)
    assert set(sitting(table)) == {members[0], who[1]}


def test_officers_need_not_wait_for_the_end_of_a_game_elsewhere() -> None:
    _, who = begun("knockout", 2)
    night, members = late_night(who[1])
    nights.mark(night=night, by=members[0], player=who[1], absent=True)
    work_off(["prompt"])
    (table,) = nights_matches(night)
    assert members[0] in sitting(table)
    assert who[1] not in sitting(table)


def test_a_night_ends_without_a_game_whose_player_is_still_elsewhere() -> None:
    event, who = begun("knockout", 2)
    night, members = late_night(who[1])
    nights.end(night=night, by=members[0])
    assert MACHINE.rows().get(pk=night.pk).is_over
    assert len(under_way(event)) == 1


def test_an_arena_seats_no_one_for_whom_a_table_of_a_night_waits() -> None:
    event, _ = begun("arena", 4)
    arena = under_way(event)
    # Two who don't play each other.
    ann, bob = (sitting(match)[0] for match in arena)
    club, members = club_of(1, 40)
    night = night_of(club, members[0], games=1, entrants=[ann, bob])
    nights.begin(night=night, by=members[0])
    for match in arena:
        over(match)
    (table,) = nights_matches(night)
    assert {row.player for row in table.seats.all()} == {ann, bob}
    assert not seated(event) & {ann, bob}
    over(table)
    pass_time(event, 1)
    assert seated(event) & {ann, bob}


def test_a_round_does_not_seat_players_before_a_night_that_waited_for_them_longer() -> None:
    event, who = begun("swiss", 2, rounds=2)
    club, members = club_of(1, 40)
    night = night_of(club, members[0], games=1, entrants=[members[0], who[1]])
    nights.begin(night=night, by=members[0])
    (match,) = under_way(event)
    over(match)
    (table,) = nights_matches(night)
    assert not under_way(event)
    over(table)
    assert seated(event) == set(who[1:])


def test_a_tournament_takes_its_players_out_of_the_ranked_queue() -> None:
    event, who = planned("knockout", 2)
    queue.enter(player=who[1], seats=2)
    events.begin(event=event, by=who[0])
    work()
    assert queue.enter(player=people(1, 50)[0], seats=2).waiting
    assert not queue.poll(player=who[1]).waiting
    with pytest.raises(Refused) as refusal:
        queue.enter(player=who[1], seats=2)
    assert refusal.value.code == "ranked_seated"


def test_a_night_does_not_seat_players_before_a_tournament_that_waited_for_them_longer() -> None:
    """Its next game begins while the tournament's table waits for the end of the last one."""
    club, members = club_of(3, 40)
    night = night_of(club, members[0], games=2, entrants=members[:2])
    nights.begin(night=night, by=members[0])
    event, who = planned("knockout", 1)
    events.join(event=event, player=members[0])
    events.begin(event=event, by=who[0])
    work()
    (first,) = nights_matches(night)
    over(first)
    assert seated(event) == {who[1], members[0]}
    assert not nights_matches(night)
    (match,) = under_way(event)
    over(match)
    assert len(nights_matches(night)) == 1


@pytest.mark.parametrize("way", ["pauses", "ends", "is left", "gives up"])
def test_a_night_goes_on_once_a_tournament_no_longer_waits(way: str) -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    club, members = club_of(1, 40)
    night = night_of(club, members[0], games=1, entrants=[members[0], who[2]])
    nights.begin(night=night, by=members[0])
    work()
    assert not nights_matches(night)
    own = text(as_(who[2]), f"/clubs/night/{night.token}/")
    assert "Your game in a tournament comes first, so your game here waits." in own
    assert path(event) in own
    live = as_(who[2]).get(f"/clubs/night/{night.token}/live/")
    assert event.public_id not in text(as_(members[0]), f"/clubs/night/{night.token}/")
    if way == "pauses":
        events.pause(event=event, by=who[0], paused=True)
    elif way == "ends":
        events.end(event=event, by=who[0])
    elif way == "is left":
        events.leave(event=event, player=who[2])
    else:
        pass_time(event, 5)
    work()
    (match,) = nights_matches(night)
    assert who[2] in sitting(match)
    changed = as_(who[2]).get(
        f"/clubs/night/{night.token}/live/", headers={"if-none-match": live["ETag"]}
    )
    assert event.public_id not in changed.content.decode()


@pytest.mark.parametrize("tell", [nights.no_longer_awaited, lambda key: no_longer_await([key])])
def test_who_is_no_longer_awaited_is_told_to_nights_first(tell: Callable[[int], None]) -> None:
    """Two transactions that enqueue the same jobs in two orders would wait for each other."""
    event, who = begun("knockout", 2)
    club, members = club_of(1, 40)
    night = night_of(club, members[0], entrants=[members[0], who[2]])
    nights.begin(night=night, by=members[0])
    DBTaskResult.objects.all().delete()
    tell(who[2].pk)
    found = DBTaskResult.objects.order_by("enqueued_at").values_list("task_path", "args_kwargs")
    assert [(path.split(".")[1], said["args"]) for path, said in found] == [
        ("clubs", [night.pk]),
        ("events", [event.pk]),
    ]
