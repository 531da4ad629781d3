"""Requests that had begun before their player's account was deleted: they store nothing for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from games.archive.import_files import NumberedRecord
from games.archive.imports import import_games
from games.correspondence import notices, push, vacations
from games.engine.cards import parse_cards
from games.engine.state import Ruleset
from games.learn import counting, lessons, puzzles, storm, tutor
from games.learn.courses.catalogue import course_of
from games.learn.courses.progress import note_answer
from games.models import Match, Player, Report
from games.people import chat_service, friendships, programs, tokens
from games.people.accounts import AccountAdapter, create_guest, merge_guest, rename
from games.people.player_lock import LoggedOut
from games.safety import appeals, erasure, moderation, proposals
from games.tables import quick_match, seeks
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused
from ratings.clubs import clubs, nights
from ratings.events import events
from ratings.matchmaking import queue
from ratings.models import Event
from ratings.standard import challenge, daily
from ratings.team_leagues import leagues
from tests.support import evenings, team_leagues, tournaments
from tests.support.moderators import a_moderator, as_player

pytestmark = pytest.mark.django_db

GAME = (Path(__file__).parent.parent / "data" / "sample.jsonl").read_text().splitlines()[0]
BROWSER: dict[str, object] = {
    "endpoint": "https://push.example/b",
    "keys": {"p256dh": "public", "auth": "secret"},
}


def person(name: str) -> Player:
    return Player.objects.create_user(name, kind=Player.Kind.PERSON, name=name)


def open_invite() -> str:
    return str(create_match(creator=person("Host"), ruleset=Ruleset()).invite)


def report(player: Player) -> None:
    moderation.report(reporter=player, about=person("Bob"), reason="abuse", text="He swears.")


def plan_event(player: Player) -> None:
    plan = events.Plan(title="Cup", format=Event.Format.SWISS, starts_at=timezone.now())
    events.plan(by=player, plan=plan)


def plan_league(player: Player) -> None:
    leagues.plan(by=player, plan=leagues.Plan(title="Autumn", starts_at=timezone.now()))


def play_challenge(player: Player) -> None:
    challenge.begin(player=player, invite=challenge.make().invite)


def enter_club(player: Player) -> None:
    clubs.join(player=player, token=evenings.club_of(1)[0].token)


def enter_night(player: Player) -> None:
    club, (founder,) = evenings.club_of(1)
    nights.join(night=evenings.night_of(club, founder), player=player)


def enter_event(player: Player) -> None:
    events.join(event=tournaments.planned("swiss", 1)[0], player=player)


def enter_team(player: Player) -> None:
    leagues.enter_team(league=team_leagues.planned(1)[0], by=player, name="Ours")


def answer_puzzle(player: Player) -> None:
    puzzle = puzzles.puzzle_of(day=puzzles.today())
    assert puzzle is not None
    puzzles.answer(puzzle=puzzle, player=player, cards=parse_cards(puzzle.cards)[:2])


def answer_exercise(player: Player) -> None:
    course = course_of("pegging")
    note_answer(player=player, course=course, exercise=course.exercises[0], right=True)


def bring_in(player: Player) -> None:
    records = [NumberedRecord(1, json.loads(GAME))]
    import_games(records=records, importer=player, seat=0, names={})


WAYS: dict[str, Callable[[Player], object]] = {
    "table": lambda player: create_match(creator=player, ruleset=Ruleset()),
    "seat": lambda player: join_match(player=player, invite=open_invite()),
    "posted game": lambda player: seeks.post_seek(player=player, ruleset=Ruleset(), days=3),
    "quick match": lambda player: quick_match.quick_match(player=player),
    "lesson": lambda player: lessons.begin_lesson(player=player),
    "import": bring_in,
    "ranked": lambda player: queue.enter(player=player, seats=2),
    "daily": lambda player: daily.begin(player=player),
    "challenge": play_challenge,
    "name": lambda player: rename(player=player, name="Annabel"),
    "password": lambda player: AccountAdapter().set_password(player, "fifteen-two-4"),
    "token": lambda player: tokens.create_data_token(player=player, name="mine"),
    "program": lambda player: programs.create_program(owner=player, name="Annbot"),
    "request": lambda player: friendships.ask(player=player, other=person("Bob")),
    "block": lambda player: friendships.block(player=player, other=person("Bob")),
    "mute": lambda player: chat_service.mute(player=player, other=person("Bob")),
    "report": report,
    "browser": lambda player: notices.subscribe(player=player, browser=BROWSER, language="en"),
    "days off": lambda player: vacations.go_away(player=player, days=1),
    "puzzle": answer_puzzle,
    "exercise": answer_exercise,
    "counting": lambda player: counting.note(player, tutor.exercise(1, 1), alone=True),
    "storm": lambda player: storm.start(player=player),
    "club": lambda player: clubs.create(player=player, name="Pegs"),
    "membership": enter_club,
    "night": enter_night,
    "tournament": plan_event,
    "entry": enter_event,
    "league": plan_league,
    "team": enter_team,
}


def stored_of(player: Player) -> dict[str, int]:
    """Return how many rows of each kind refer to a player."""
    found = {}
    for relation in Player._meta.related_objects:
        rows = relation.related_model._base_manager.filter(**{relation.field.name: player.pk})
        found[f"{relation.related_model.__name__}.{relation.field.name}"] = rows.count()
    return {name: number for name, number in found.items() if number}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_stored_for_an_account_deleted_since_the_request_began(
    way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for check in ("available", "is_push_service", "are_keys"):
        monkeypatch.setattr(push, check, lambda *_: True)
    ann = person("Ann")
    request = Player.objects.get(pk=ann.pk)
    erasure.erase(player=ann)
    with pytest.raises(LoggedOut):
        WAYS[way](request)
    stored = Player.objects.get(pk=ann.pk)
    assert (stored.kind, stored.name, stored.username) == ("deleted", ann.name, ann.username)
    assert not stored.has_usable_password()
    assert stored_of(ann) == {}


def test_nobody_asks_an_account_deleted_since_the_request_began() -> None:
    ann, bob = person("Ann"), person("Bob")
    erasure.erase(player=Player.objects.get(pk=bob.pk))
    with pytest.raises(Refused, match="not_askable"):
        friendships.ask(player=ann, other=bob)


def test_an_appeal_is_not_stored_for_a_deleted_account_but_for_a_banned_one() -> None:
    ann, mona = person("Ann"), a_moderator("Mona")
    for action in ("warn", "ban"):
        moderation.moderate(moderator=mona, player=ann, action=action, reason="Swearing", days=3)
    warned, banned = ann.moderated.order_by("pk")
    appeals.make_appeal(player=ann, entry=banned.pk, text="I was polite.")
    request = Player.objects.get(pk=ann.pk)
    erasure.erase(player=ann)
    with pytest.raises(ValidationError):
        appeals.make_appeal(player=request, entry=warned.pk, text="I was polite.")


def test_a_guest_who_was_merged_meanwhile_opens_no_table() -> None:
    guest, ann = create_guest(), person("Ann")
    request = Player.objects.get(pk=guest.pk)
    merge_guest(guest=guest, account=ann)
    with pytest.raises(LoggedOut):
        create_match(creator=request, ruleset=Ruleset())
    assert not Match.objects.exists()


def test_a_guest_who_was_merged_meanwhile_cannot_be_reported() -> None:
    ann, guest, account = person("Ann"), create_guest(), person("Bob")
    merge_guest(guest=Player.objects.get(pk=guest.pk), account=account)
    with pytest.raises(ValidationError, match="can't be reported"):
        moderation.report(reporter=ann, about=guest, reason="abuse")
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "act",
    [
        partial(moderation.moderate, action="mute", reason="Swearing"),
        partial(proposals.propose_ban, reason="Swearing"),
        partial(moderation.write_note, text="Swears"),
    ],
    ids=["action", "proposal", "note"],
)
def test_a_guest_who_was_merged_meanwhile_is_not_moderated(act: Callable[..., object]) -> None:
    mona, guest = a_moderator("Mona"), create_guest()
    request = Player.objects.get(pk=guest.pk)
    merge_guest(guest=guest, account=person("Ann"))
    with pytest.raises(ValidationError, match="can't be moderated"):
        act(moderator=mona, player=request)


def test_a_moderator_who_writes_a_note_about_a_guest_who_logs_in_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    guest, mona = create_guest(), a_moderator("Mona")
    write = moderation.write_note

    def write_late(**told: Any) -> None:
        merge_guest(guest=Player.objects.get(pk=guest.pk), account=person("Ann"))
        write(**told)

    monkeypatch.setattr("games.safety.moderation.write_note", write_late)
    path = f"/moderation/players/{guest.public_id}/note/"
    page = as_player(mona).post(path, {"text": "Swears"}, follow=True).content.decode()
    assert "can&#x27;t be moderated" in page


@pytest.mark.parametrize("hide", [friendships.block, chat_service.mute])
def test_a_guest_who_was_merged_meanwhile_is_not_hidden(hide: Callable[..., None]) -> None:
    guest, ann = create_guest(), person("Ann")
    request = Player.objects.get(pk=guest.pk)
    merge_guest(guest=guest, account=person("Bob"))
    with pytest.raises(Refused, match="not_offered"):
        hide(player=ann, other=request)


def test_a_page_answers_a_request_that_outlived_its_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person("Ann")
    client.force_login(ann)

    def rename_late(*, player: Player, name: str) -> None:
        erasure.erase(player=Player.objects.get(pk=ann.pk))
        rename(player=player, name=name)

    monkeypatch.setattr("games.pages.site.info.rename", rename_late)
    assert client.post("/name/", {"name": "Annabel"}).status_code == 403
