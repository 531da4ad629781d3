"""Pages of tournaments: planning, joining, what each reader sees, the board, and the files."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.jobs.worker import work_off
from games.models import Match, Player, Reminder
from ratings.clubs import clubs
from ratings.events import events
from ratings.models import Event, EventCorrection, EventEntrant
from ratings.pages import events_words
from tests.support.letters import make_person
from tests.support.people import as_
from tests.support.standard_tables import people, text
from tests.support.tournaments import (
    again,
    begun,
    finish,
    planned,
    play_all,
    play_round,
    under_way,
    work,
)

pytestmark = pytest.mark.django_db


def path(event: Event, *parts: str) -> str:
    """Return the address of a page of an event."""
    return "/".join(["/tournaments", event.public_id, *parts, ""])


def form(**values: str) -> dict[str, str]:
    """Return the fields of the form that plans a tournament in an hour."""
    starts = (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")
    return {
        "title": "Autumn Cup", "format": "swiss", "rounds": "3", "best_of": "1", "minutes": "60",
        "seats": "2", "starts": starts, "entry": "open", "places": "16", "check_in": "0",
        "no_show": "5", "late_rounds": "1", **values,
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "least"), [("qualifying", 4), ("robin", 3), ("swiss", 2)])
def test_the_pages_say_how_many_players_it_waits_for(kind: str, least: int) -> None:
    event, who = planned(kind, least - 1)
    waits = f"At least {least} players are needed to start."
    assert waits in text(as_(who[1]), path(event))
    assert waits in text(as_(who[0]), path(event, "board"))
    events.join(event=event, player=people(1, 90)[0])
    assert waits not in text(as_(who[1]), path(event))
    assert waits not in text(as_(who[0]), path(event, "board"))
    row = event.entrants.exclude(player=who[1]).last()
    assert row is not None
    events.mark(event=event, by=who[0], number=row.number, absent=True)
    assert waits in text(as_(who[1]), path(event)), "one of them is absent"


def test_players_who_have_joined_are_enough_until_they_are_asked_to_check_in() -> None:
    event, who = planned("swiss", 3, check_in=20)
    waits = "At least 2 players are needed to start."
    assert waits not in text(as_(who[1]), path(event)), "three have joined"
    assert waits in text(as_(who[0]), path(event, "board")), "none of them is here"


def test_a_cancelled_tournament_invites_no_one() -> None:
    event, who = planned("swiss", 0)
    assert "Be the first." in text(Client(), path(event))
    events.end(event=event, by=who[0])
    page = text(Client(), path(event))
    assert "Be the first." not in page
    assert "No one entered." in page


def test_from_the_form_to_the_titles_on_the_pages_alone() -> None:
    organiser, guest = people(2)
    browser = as_(organiser)
    answer = browser.post("/tournaments/new/", form())
    event = Event.objects.get()
    assert answer["Location"] == path(event)
    assert "Autumn Cup" in text(Client(), "/tournaments/")
    as_(guest).post(path(event, "join"))
    browser.post(path(event, "join"))
    browser.post(path(event, "board", "fill"), {"number": "2"})
    browser.post(path(event, "board", "begin"))
    work()
    assert "Your table is ready." in text(browser, path(event))
    event = play_all(event)
    assert "The tournament is over." in text(Client(), path(event))
    winner = event.entrants.filter(titled=True, computer=False).order_by("place").first()
    if winner is not None:
        assert "Autumn Cup" in text(Client(), f"/players/{winner.player.public_id}/")


def test_the_form_explains_each_format_that_it_offers() -> None:
    (organiser,) = people(1)
    page = text(as_(organiser), "/tournaments/new/")
    for each, how in events_words.FORMATS.items():
        assert (str(how) in unescape(page)) == (each != Event.Format.TEAMS), each


def test_a_wrong_form_says_what_is_wrong_and_plans_nothing() -> None:
    browser, plan = as_(organiser := people(1)[0]), "/tournaments/new/"
    page = browser.post(plan, form(starts="2001-01-01T10:00")).content
    assert b"Choose a start within the next year." in page and b"Members of the club" not in page
    clubs.create(player=organiser, name="Pegs")
    assert b"Choose the club." in browser.post(plan, form(entry="club")).content
    assert not Event.objects.exists()


def test_a_club_shows_its_tournaments_to_its_members() -> None:
    (member,) = people(1)
    club = clubs.create(player=member, name="Pegs")
    as_(member).post("/tournaments/new/", form(entry="club", club=club.public_id))
    assert "Autumn Cup" in text(as_(member), f"/clubs/{club.public_id}/")


def test_a_title_of_a_club_is_shown_to_its_members() -> None:
    member, other, stranger = people(3)
    club = clubs.create(player=member, name="Pegs")
    clubs.join(player=other, token=club.token)
    as_(member).post("/tournaments/new/", form(entry="club", club=club.public_id))
    entry = EventEntrant.objects.create(
        event=Event.objects.get(), player=member, number=1, place=1, titled=True
    )
    Event.objects.update(state=Event.State.OVER, over_at=timezone.now())
    page = f"/players/{entry.player.public_id}/"
    assert "Autumn Cup" in text(as_(other), page)
    assert "Autumn Cup" not in text(as_(stranger), page)


def test_a_visitor_joins_as_a_guest_under_a_name() -> None:
    event, _ = planned("swiss", 1)
    visitor = Client()
    visitor.post(path(event, "join"), {"name": "Quill"})
    assert event.entrants.filter(player__name="Quill", player__kind="guest").exists()
    assert "Withdraw" in text(visitor, path(event))


def test_a_tournament_of_a_club_is_for_its_members() -> None:
    member, stranger = people(2)
    club = clubs.create(player=member, name="Pegs")
    plan = events.Plan(
        title="Club cup", format="robin", starts_at=timezone.now() + timedelta(hours=1),
        entry="club", club=club,
    )  # fmt: skip
    event = events.plan(by=member, plan=plan)
    assert as_(stranger).get(path(event)).status_code == 404
    assert "Club cup" not in text(as_(stranger), "/tournaments/")
    as_(member).post(path(event, "join"))
    assert event.entrants.get().player == member
    # Whoever planned it runs it as long as they are an officer.
    clubs.join(player=stranger, token=club.token)
    clubs.hand_over(club=club, by=member, player=stranger)
    assert as_(member).get(path(event, "board")).status_code == 200
    clubs.remove(club=club, by=stranger, player=member)
    assert as_(member).get(path(event, "board")).status_code == 403


NEXT = "We'll take you to your next game."


def player_of(match: Match, seat: int) -> Player:
    """Return the player of a seat."""
    player = match.seats.get(seat=seat).player
    assert player is not None
    return player


@pytest.mark.parametrize("kind", ["swiss", "robin"])
def test_a_next_game_is_promised_until_the_last_round(kind: str) -> None:
    event, _ = begun(kind, 4, rounds=2)
    first, other = under_way(event)
    finish(first)
    assert NEXT in unescape(text(as_(player_of(first, 0)), path(event)))
    finish(other)
    while again(event).played.count() < again(event).rounds:
        play_round(event)
    last = under_way(event)[0]
    finish(last)
    page = unescape(text(as_(player_of(last, 0)), path(event)))
    assert "1 table is still playing" in page
    assert NEXT not in page


@pytest.mark.parametrize("kind", ["knockout", "robin"])
def test_results_lead_to_their_matches_once_others_may_see_them(kind: str) -> None:
    event, _ = begun(kind, 4)
    first, second = under_way(event)
    finish(first)
    running = text(Client(), path(event))
    assert f"/t/{second.public_id}/" in running
    assert f"/matches/{first.public_id}/" not in running
    event = play_all(event)
    assert f"/matches/{first.public_id}/" in text(Client(), path(event))


@pytest.mark.parametrize("kind", ["swiss", "robin"])
def test_each_number_of_the_standings_has_a_label_for_phones(kind: str) -> None:
    event, _ = begun(kind, 4)
    play_round(event)
    table = text(Client(), path(event)).split('<table class="sheet rows as-cards">')[1]
    cells = re.findall(r"<td [^>]*>", table.split("</table>")[0])
    assert len(cells) == 4 * 5
    assert all("data-label=" in cell for cell in cells)


def linked_matches(browser: Client, event: Event) -> list[str]:
    """Return the addresses of matches to which the page of an event leads a reader."""
    return re.findall(r'href="(/matches/\w{10}/)"', text(browser, path(event)))


@pytest.mark.parametrize("kind", ["swiss", "teams"])
def test_results_of_a_duplicate_lead_only_to_matches_that_their_reader_may_open(kind: str) -> None:
    event, who = begun(kind, 4)
    own, other = under_way(event)
    play_round(event)
    for browser in (Client(), as_(who[0])):
        assert linked_matches(browser, event) == []
        assert browser.get(f"/matches/{other.public_id}/").status_code == 404
    reader = as_(player_of(own, 0))
    for match in (own, other):
        assert reader.get(f"/matches/{match.public_id}/").status_code == 200
    both = [f"/matches/{match.public_id}/" for match in (own, other)]
    assert linked_matches(reader, event) == both
    Player.objects.filter(pk=player_of(other, 1).pk).update(replays="nobody")
    assert reader.get(both[1]).status_code == 404
    assert linked_matches(reader, event) == both[:1]
    for seat in (0, 1):
        Player.objects.filter(pk=player_of(other, seat).pk).update(replays="everybody")
    assert linked_matches(Client(), event) == [f"/matches/{other.public_id}/"]
    assert Client().get(f"/matches/{other.public_id}/").status_code == 200


def test_a_bracket_promises_a_next_game_to_winners_only() -> None:
    event, _ = begun("knockout", 4)
    match = under_way(event)[0]
    finish(match)
    assert NEXT in unescape(text(as_(player_of(match, 0)), path(event)))
    assert NEXT not in unescape(text(as_(player_of(match, 1)), path(event)))


def test_the_minutes_of_an_arena_go_down_while_nothing_else_changes() -> None:
    event, _ = begun("arena", 2, minutes=10)
    browser = Client()
    first = browser.get(path(event, "live"))
    assert "10 minutes left" in first.content.decode()
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(seconds=90))
    later = browser.get(path(event, "live"), headers={"If-None-Match": first["ETag"]})
    assert later.status_code == 200
    assert "9 minutes left" in later.content.decode()


def test_the_live_part_is_sent_only_when_something_changed() -> None:
    event, who = begun("swiss", 4, rounds=2)
    browser = as_(who[1])
    first = browser.get(path(event, "live"))
    tag = {"If-None-Match": first["ETag"]}
    assert browser.get(path(event, "live"), headers=tag).status_code == 304
    finish(under_way(event)[0])
    assert browser.get(path(event, "live"), headers=tag).status_code == 200


class TestBoard:
    def test_it_is_the_organisers(self) -> None:
        event, who = begun("robin", 3)
        assert as_(who[1]).get(path(event, "board")).status_code == 403
        assert as_(who[1]).post(path(event, "board", "end")).status_code == 403
        assert "Pause" in text(as_(who[0]), path(event, "board"))

    def test_a_correction_is_shown_to_everyone_with_its_reason(self) -> None:
        event, who = begun("robin", 3)
        finish(under_way(event)[0], 121, 100)
        game = event.played.get(number=1).tables.filter(second__isnull=False).get().games.get()
        browser, data = as_(who[0]), {"first": "90", "second": "121"}
        correct = path(event, "board", "correct", str(game.pk))
        browser.post(correct, data)
        assert not EventCorrection.objects.exists()
        browser.post(correct, data | {"reason": "Scores were swapped"})
        page = text(Client(), path(event))
        assert "Scores were swapped" in page
        assert "90 : 121" in page
        Player.objects.filter(pk=who[0].pk).update(muted_until=timezone.now() + timedelta(days=1))
        data = {"first": "91", "second": "121", "reason": "Dolts"}
        back = browser.post(correct, data).headers["Location"]
        assert "leave the reason empty" in text(browser, back)
        browser.post(correct, data | {"reason": ""})
        assert "91 : 121" in text(Client(), path(event))

    def test_pause_absence_and_end(self) -> None:
        event, who = begun("swiss", 4, rounds=3)
        browser = as_(who[0])
        browser.post(path(event, "board", "pause"))
        play_round(event)
        assert not under_way(event)
        assert "Paused." in text(browser, path(event, "board"))
        browser.post(path(event, "board", "absent", "1"))
        browser.post(path(event, "board", "resume"))
        work()
        assert len(under_way(event)) == 2
        assert EventEntrant.objects.get(event=event, number=1).absent
        browser.post(path(event, "board", "end"))
        play_round(event)
        assert again(event).state == Event.State.OVER


class TestFiles:
    def test_the_standings_as_csv(self) -> None:
        event, who = begun("swiss", 4, rounds=1)
        who[1].name = "=1+1"
        who[1].save()
        play_all(event)
        lines = text(Client(), f"/tournaments/{event.public_id}/standings.csv").splitlines()
        assert lines[0].startswith("place,player,matchpoints")
        assert len(lines) == 5
        assert any(",'=1+1," in line for line in lines)

    def test_the_calendar(self) -> None:
        event, _ = planned("swiss", 0, title="Cup; with, signs")
        page = text(Client(), f"/tournaments/{event.public_id}/event.ics")
        assert f"DTSTART:{event.starts_at:%Y%m%dT%H%M%SZ}\r\n" in page
        assert "SUMMARY:Cup\\; with\\, signs\r\n" in page
        assert max(len(line.encode()) for line in page.split("\r\n")) <= 75

    def test_the_bracket_and_the_cross_table_are_pictures(self) -> None:
        event, who = begun("knockout", 4)
        play_all(event)
        picture = text(Client(), f"/tournaments/{event.public_id}/bracket.svg")
        assert picture.startswith("<svg")
        assert all(player.name in picture for player in who[1:])
        assert Client().get(f"/tournaments/{event.public_id}/cross-table.svg").status_code == 404
        event, _ = begun("robin", 3, start=10)
        play_all(event)
        picture = text(Client(), f"/tournaments/{event.public_id}/cross-table.svg")
        assert len(re.findall("Person", picture)) == 3


def test_who_has_no_game_is_not_offered_to_leave_after_it() -> None:
    event, who = begun("robin", 3)
    assert len(under_way(event)) == 1
    for player in who[1:]:
        page = text(as_(player), path(event))
        seated = "Your table is ready." in page
        assert ("Leave after this game" in page) is seated
        assert ("Leave now" in page) is not seated


def test_the_wall_screen_and_the_board_have_live_parts() -> None:
    event, who = begun("arena", 4)
    assert "minutes left" in text(Client(), path(event, "wall"))
    assert "minutes left" in text(Client(), path(event, "wall", "live"))
    assert "still playing" in text(as_(who[0]), path(event, "board", "live"))


@pytest.mark.parametrize("change", ["called off", "begun early", "left", "none"])
def test_a_reminder_that_is_tried_again_is_not_sent_for_what_has_changed(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, who = planned("swiss", 2)
    ann = make_person("ann")
    events.join(event=event, player=ann)
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(minutes=10))
    monkeypatch.setattr("games.correspondence.reminders._mail", lambda _: False)
    events.join(event=event, player=who[1])
    work_off()
    assert Reminder.objects.filter(player=ann, sent_at=None).exists()

    if change == "called off":
        events.end(event=event, by=who[0])
    elif change == "begun early":
        events.begin(event=event, by=who[0])
    elif change == "left":
        events.leave(event=event, player=ann)
    monkeypatch.undo()
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
    work_off()
    assert len(mail.outbox) == int(change == "none")


def test_players_are_reminded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "ratings.events.progress.remind",
        lambda *, players, key, **_: told.extend(player.name for player in players),
    )
    event, who = planned("swiss", 2)
    work_off(["prompt"])
    assert told == []
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(minutes=10))
    for _ in range(2):
        events.join(event=event, player=who[1])
        work_off(["prompt"])
    assert sorted(told) == [player.name for player in who[1:]]
