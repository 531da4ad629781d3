"""Club nights: a player who sits at a ranked table, or at another night, sits at one table only."""

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.api import Refused
from games.jobs.worker import work_off
from games.models import Match, Player
from games.people.accounts import create_guest, merge_guest
from games.tables.forfeit import leave_for_good
from ratings.clubs import absences, clubs, night_standings, night_state_machine, nights
from ratings.clubs.night_state_machine import advance
from ratings.matchmaking import queue
from ratings.models import ClubNight, Play, Ticket
from ratings.rating.results import collect
from ratings.standard import catalogue
from tests.support.evenings import begun, club_of, night_of, play_out, seated, under_way
from tests.support.people import as_
from tests.support.standard_tables import people, play_on, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_night", "fixed_cards")]


def again(night: ClubNight) -> ClubNight:
    """Return a night as it is stored."""
    return ClubNight.objects.get(pk=night.pk)


def ranked_match(player: Player, number: int = 70) -> Match:
    """Seat a player at a ranked table."""
    pair = [player, *people(1, number)]
    game = catalogue.choose_game(players=pair)
    return catalogue.start_match(game=game, players=pair, kind=Play.Kind.RANKED)


def finish(match: Match) -> None:
    """Play a match to its end, as a process does that plays it, and let the jobs follow."""
    from ratings.apps import _collect_result

    play_on(match)
    _collect_result(match.pk)
    work_off(["prompt"])


def work_off_waiting(night: ClubNight, player: Player) -> None:
    """Run all jobs that are due: a player's table still waits, and no job is left to look at it."""
    work_off(["prompt"])
    assert player not in {one for match in under_way(night) for one in seated(match)}


def path(night: ClubNight, part: str = "") -> str:
    return f"/clubs/night/{night.token}/{part}"


def test_a_table_waits_for_a_player_who_is_at_a_ranked_table() -> None:
    club, members = club_of(4)
    night = night_of(club, members[0], entrants=members)
    ranked = ranked_match(members[0])
    nights.begin(night=night, by=members[0])
    (match,) = under_way(night)
    assert members[0] not in seated(match)
    sheet = night_standings.sheet(night=again(night), viewer=members[0])
    assert sheet.elsewhere == ranked.public_id
    page = text(as_(members[0]), path(night))
    assert "You're still playing at another table. Your game here waits for you." in page
    assert f"/t/{ranked.public_id}/" in page
    assert page.count("waiting</span>") == 1
    live = as_(members[0]).get(path(night, "live/"))
    work_off_waiting(night, members[0])
    finish(ranked)
    assert members[0] in {player for match in under_way(night) for player in seated(match)}
    changed = as_(members[0]).get(path(night, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200


def test_a_table_waits_for_who_sits_elsewhere_until_its_games_time_is_up() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], games=2, entrants=members)
    ranked_match(members[0])
    nights.begin(night=night, by=members[0])
    work_off(["prompt"])
    assert not under_way(night)
    game = night.night_games.get(number=1)
    game.began_at = timezone.now() - timedelta(minutes=night.minutes)
    game.save()
    advance(night=again(night))
    (match,) = under_way(night)
    assert match.standard_play.night_table.game == game
    assert members[1] in seated(match)
    assert members[0] not in seated(match)


def test_two_nights_do_not_seat_a_player_at_once() -> None:
    first, members = begun(2)
    club = first.club
    second = night_of(club, members[0], entrants=[*members[:1], *people(2, 40)])
    nights.begin(night=second, by=members[0])
    assert [members[0] in seated(match) for match in under_way(second)] == [False]
    with pytest.raises(Refused) as refusal:
        nights.join(night=again(second), player=members[0])
    assert refusal.value.message == "You're playing at another club night. Leave that one first."
    nights.leave(night=first, player=members[0])
    nights.join(night=again(second), player=members[0])
    # The last game at the first night goes on, and the second night waits for its end.
    for match in under_way(second):
        play_out(match)
    assert members[0] not in {one for match in under_way(second) for one in seated(match)}
    (last,) = under_way(first)
    work_off_waiting(second, members[0])
    finish(last)
    assert members[0] in {one for match in under_way(second) for one in seated(match)}


def test_a_night_does_not_begin_with_players_of_another_one() -> None:
    first, members = begun(2)
    second = night_of(first.club, members[0], entrants=members)
    with pytest.raises(Refused) as refusal:
        nights.begin(night=second, by=members[0])
    assert refusal.value.code == "night_few"
    assert second.entrants.count() == 2


def due(night: ClubNight) -> None:
    """Let the planned start of a night come, with the job that is due then."""
    ClubNight.objects.filter(pk=night.pk).update(starts_at=timezone.now())
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
    work_off(["prompt"])


@pytest.mark.parametrize("way", ["ends", "leaves"])
def test_a_night_that_is_due_begins_when_its_players_are_free(way: str) -> None:
    first, members = begun(4, games=1)
    second = night_of(first.club, members[0], games=1, entrants=members[:2])
    due(second)
    assert again(second).is_planned
    if way == "ends":
        for match in under_way(first):
            finish(match)
        assert again(first).is_over
    else:
        for player in members[:2]:
            nights.leave(night=first, player=player)
        work_off(["prompt"])
    assert again(second).is_running


def test_a_table_begins_once_its_player_has_left_the_ranked_game() -> None:
    club, members = club_of(4)
    night = night_of(club, members[0], entrants=members)
    ranked = ranked_match(members[0])
    nights.begin(night=night, by=members[0])
    work_off_waiting(night, members[0])
    assert leave_for_good(match=ranked.pk, seat=ranked.seats.get(player=members[0]).seat)
    work_off(["prompt"])
    assert Match.objects.get(pk=ranked.pk).status == Match.Status.PLAYING
    assert members[0] in {one for match in under_way(night) for one in seated(match)}


@pytest.mark.parametrize("way", ["leaves", "is marked"])
def test_a_table_begins_once_its_player_has_left_the_night(way: str) -> None:
    club, members = club_of(4)
    night = night_of(club, members[0], entrants=members)
    ranked_match(members[1])
    nights.begin(night=night, by=members[0])
    work_off_waiting(night, members[1])
    assert len(under_way(night)) == 1
    if way == "leaves":
        nights.leave(night=night, player=members[1])
    else:
        nights.mark(night=night, by=members[0], player=members[1], absent=True)
    work_off(["prompt"])
    assert len(under_way(night)) == 2


def test_a_table_does_not_wait_for_a_guest_who_is_entered_twice() -> None:
    """They log in to an account that plays at the same night."""
    club, members = club_of(3)
    guest = create_guest()
    night = night_of(club, members[0], entrants=[*members, guest])
    ranked_match(guest)
    nights.begin(night=night, by=members[0])
    work_off_waiting(night, guest)
    (match,) = under_way(night)
    merge_guest(guest=guest, account=seated(match)[0])
    work_off(["prompt"])
    assert len(under_way(night)) == 2


def test_a_night_begins_without_forgetting_who_plays_at_another_one() -> None:
    first, members = begun(2)
    second = night_of(first.club, members[0], entrants=[*members, *people(3, 40)])
    nights.begin(night=second, by=members[0])
    assert second.entrants.count() == 5
    assert set(second.entrants.filter(absent=True).values_list("player", flat=True)) == {
        member.pk for member in members
    }
    assert not set(members) & {one for match in under_way(second) for one in seated(match)}
    nights.leave(night=first, player=members[0])
    for match in under_way(first):
        finish(match)
    nights.join(night=again(second), player=members[0])
    for match in under_way(second):
        finish(match)
    assert members[0] in {one for match in under_way(second) for one in seated(match)}


@pytest.mark.parametrize("way", ["leaves", "is marked", "ends"])
def test_who_was_at_another_night_is_seated_again_without_joining(way: str) -> None:
    first, members = begun(2, games=1)
    ann = members[1]
    second = night_of(first.club, members[0], entrants=[ann, *people(3, 40)])
    nights.begin(night=second, by=members[0])
    page = text(as_(ann), path(second))
    assert (
        "You're playing at another club night. You'll join here once you leave or finish it."
        in page
    )
    assert path(second, "join/") not in page
    live = as_(ann).get(path(second, "live/"))
    if way == "leaves":
        nights.leave(night=first, player=ann)
    elif way == "is marked":
        nights.mark(night=first, by=members[0], player=ann, absent=True)
    for match in under_way(first):
        finish(match)
    work_off(["prompt"])
    assert not second.entrants.get(player=ann).absent
    changed = as_(ann).get(path(second, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200
    for match in under_way(second):
        finish(match)
    assert ann in {one for match in under_way(second) for one in seated(match)}


@pytest.mark.parametrize("by_officer", [True, False])
def test_who_also_left_the_night_that_has_begun_stays_away(by_officer: bool) -> None:
    first, members = begun(2, games=1)
    ann = members[1]
    second = night_of(first.club, members[0], entrants=[ann, *people(3, 40)])
    nights.begin(night=second, by=members[0])
    if by_officer:
        nights.mark(night=second, by=members[0], player=ann, absent=True)
    else:
        nights.leave(night=second, player=ann)
    for match in under_way(first):
        finish(match)
    work_off(["prompt"])
    assert second.entrants.get(player=ann).absent


def test_who_has_played_their_last_game_of_a_night_may_play_at_another() -> None:
    first, members = begun(4, games=1)
    ended, open_ = under_way(first)
    free = seated(ended)
    finish(ended)
    second = night_of(first.club, members[0], entrants=members)
    nights.begin(night=second, by=members[0])
    assert not second.entrants.filter(player__in=free, absent=True).exists()
    assert second.entrants.filter(player__in=seated(open_), absent=True).count() == 2


def test_seats_are_looked_at_under_the_lock_of_the_pool(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise the queue, or another night, could seat a player in the same moment."""
    order: list[str] = []
    lock, busy = catalogue.lock_pool, absences.busy_entrants
    elsewhere = absences.nights_elsewhere

    def locked() -> None:
        order.append("lock")
        lock()

    def looked(night: ClubNight) -> set[int]:
        order.append("seats")
        return busy(night)

    def asked(*, night: ClubNight, players: Iterable[Player]) -> dict[int, ClubNight]:
        order.append("nights")
        return elsewhere(night=night, players=players)

    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members)
    monkeypatch.setattr(catalogue, "lock_pool", locked)
    monkeypatch.setattr(night_state_machine, "busy_entrants", looked)
    monkeypatch.setattr(night_state_machine, "nights_elsewhere", asked)
    nights.begin(night=night, by=members[0])
    assert order[:2] == ["lock", "nights"]
    assert order.index("seats") > 0
    assert order[order.index("seats") - 1] == "lock"


def test_who_sits_at_a_club_night_is_not_seated_at_a_ranked_table() -> None:
    night, members = begun(2)
    with pytest.raises(Refused) as refusal:
        queue.enter(player=members[0], seats=2)
    assert refusal.value.code == "ranked_seated"
    page = text(as_(members[0]), "/ranked/")
    assert "Finish that game first." in page
    (match,) = under_way(night)
    assert f"/t/{match.public_id}/" in page
    play_on(match)
    collect(match=match.pk)
    assert queue.enter(player=members[0], seats=2).waiting


def test_a_club_night_takes_its_players_out_of_the_ranked_queue() -> None:
    club, members = club_of(2)
    night = night_of(club, members[0], entrants=members)
    queue.enter(player=members[0], seats=2)
    nights.begin(night=night, by=members[0])
    other = people(1, 50)[0]
    assert queue.enter(player=other, seats=2).waiting
    assert not queue.poll(player=members[0]).waiting
    assert not Ticket.objects.filter(player=members[0]).exists()


def test_an_officer_does_not_bring_back_who_plays_at_another_night() -> None:
    first, members = begun(2)
    second = night_of(first.club, members[0], entrants=[members[1], *people(3, 40)])
    nights.begin(night=second, by=members[0])
    with pytest.raises(Refused) as refusal:
        nights.mark(night=again(second), by=members[0], player=members[1], absent=False)
    assert refusal.value.code == "night_elsewhere"
    assert second.entrants.get(player=members[1]).absent


@pytest.mark.parametrize("way", ["deleted", "banned"])
def test_who_can_no_longer_log_in_is_not_taken_back_from_another_night(way: str) -> None:
    first, members = begun(2, games=1)
    ann = members[1]
    second = night_of(first.club, members[0], entrants=[ann, *people(3, 40)])
    nights.begin(night=second, by=members[0])
    if way == "deleted":
        clubs.leave_all(player=ann.pk)
    else:
        Player.objects.filter(pk=ann.pk).update(is_active=False)
    for match in under_way(first):
        finish(match)
    work_off(["prompt"])
    assert second.entrants.get(player=ann).absent
