"""A throwaway guest cannot play ranked games ahead for an account of the same person.

Repeats what was done on the site before: a private window enters the queue as a guest, takes the
house computer and plays by script; an account in another browser then got the same cards.
"""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.engine.state import Ruleset
from games.models import Match, Player
from games.people import courses
from games.people.accounts import create_guest, merge_guest
from games.tables.tables import create_match, join_match
from ratings.models import Attempt, LinkedAccount, Play, StandardGame, Ticket
from ratings.rating.results import collect
from ratings.standard import catalogue, trust
from tests.support.standard_tables import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]

HOME, ELSEWHERE = "81.2.69.10", "185.15.58.224"
GUESTS = 5


@pytest.fixture(autouse=True)
def _behind_a_proxy(settings: Settings) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


class Browser:
    """A browser without cookies, at an address."""

    def __init__(self, address: str) -> None:
        self.client = Client(headers={"X-Forwarded-For": address})

    def sign_up(self, name: str) -> None:
        secret = "a long word and 7 more"
        answer = self.client.post(
            "/accounts/signup/", {"username": name, "password1": secret, "password2": secret}
        )
        assert answer.status_code == 302, answer.content

    def take_the_computer(self) -> Match:
        """Enter the queue, wait until the house computer is offered, and play it."""
        assert self.client.post("/ranked/enter/", {"seats": "2"}).status_code == 302
        Ticket.objects.update(since=timezone.now() - timedelta(seconds=20))
        answer = self.client.post("/ranked/computer/")
        return Match.objects.get(public_id=answer["Location"].split("/")[2])

    def player(self) -> Player:
        return Player.objects.get(pk=self.client.session["_auth_user_id"])


def game_of(match: Match) -> StandardGame:
    return Play.objects.get(match=match).standard_game


def play_ahead(address: str, guests: int = GUESTS) -> set[int]:
    """Let throwaway guests play games to their ends; return the games that they know."""
    known = set()
    for _ in range(guests):
        browser = Browser(address)
        match = browser.take_the_computer()
        assert browser.player().is_guest
        play_on(match)
        collect(match=match.pk)
        known.add(game_of(match).pk)
    return known


@pytest.mark.parametrize("address", [HOME, ELSEWHERE])
def test_a_new_account_is_dealt_no_game_that_a_guest_has_read(address: str) -> None:
    known = play_ahead(HOME)
    account = Browser(address)
    account.sign_up("Ann Other")
    assert not LinkedAccount.objects.exists(), "nothing shows that they are one person"
    for _ in range(3):
        match = account.take_the_computer()
        assert game_of(match).pk not in known
        play_on(match)
        collect(match=match.pk)
    assert not Attempt.objects.filter(player=account.player(), standard_game__in=known).exists()


def test_another_guest_is_dealt_no_game_that_a_guest_has_read() -> None:
    known = play_ahead(HOME)
    assert len(known) == GUESTS
    assert game_of(Browser(ELSEWHERE).take_the_computer()).pk not in known


def test_neither_is_an_established_player(monkeypatch: pytest.MonkeyPatch) -> None:
    known = play_ahead(HOME, 3)
    account = Browser(ELSEWHERE)
    account.sign_up("Ann Other")
    monkeypatch.setattr(trust, "PLACEMENT", 0)
    assert trust.level_of(account.player()) == trust.ESTABLISHED
    assert game_of(account.take_the_computer()).pk not in known


def test_nothing_that_a_waiting_player_can_read_names_the_next_game() -> None:
    game = catalogue.make(seats=2)
    browser = Browser(HOME)
    browser.client.post("/ranked/enter/", {"seats": "2"})
    pages = [browser.client.get("/ranked/"), browser.client.post("/ranked/state/")]
    for page in pages:
        text = page.content.decode()
        assert game.commitment not in text
        assert not re.search(rf"#{game.pk}\b", text)  # a colour may begin with these digits
        assert f"/standard/{game.pk}" not in text
    assert set(pages[1].json()) == {"waiting", "offer", "others", "table"}


def test_a_result_stored_while_the_guest_logs_in_goes_to_the_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The job that follows a match had read the guest's seat before it moved."""
    guest = create_guest()
    account = Player.objects.create_user("Ann", kind=Player.Kind.PERSON, name="Ann")
    people = [guest, create_guest()]
    game = catalogue.choose_game(players=people)
    catalogue.start_match(game=game, players=people, kind=Play.Kind.RANKED)
    own = Attempt.objects.get(player=guest)
    move = courses.move

    def move_too_early(**both: Player) -> None:
        move(**both)
        Attempt.objects.filter(pk=own.pk).update(player=guest)

    monkeypatch.setattr(courses, "move", move_too_early)
    merge_guest(guest=guest, account=account)
    own.refresh_from_db()
    assert own.player == account
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_a_new_account_is_dealt_no_game_that_new_accounts_have_played_at_a_private_table(
    settings: Settings,
) -> None:
    """Nothing tells from which network they played, and anyone can have two such accounts."""
    settings.RANKED_POOL_DEPTH = 1
    host, guest, main = Browser(HOME), Browser(HOME), Browser(HOME)
    for browser, name in ((host, "Ann Other"), (guest, "Bob Other"), (main, "Cleo Other")):
        browser.sign_up(name)
    match = create_match(creator=host.player(), ruleset=Ruleset())
    join_match(player=guest.player(), invite=match.invite)
    play_on(match)
    collect(match=match.pk)
    assert game_of(main.take_the_computer()) != game_of(match)
