"""Tables that are open while their guest logs in to an account, or signs up, in another tab."""

from __future__ import annotations

import pytest
from asgiref.sync import sync_to_async

from games.cluster import announce
from games.engine.state import Ruleset
from games.models import Decks, Match, Player
from games.people.accounts import create_guest, merge_guest
from games.tables.ranked import begin_ranked
from games.tables.tables import create_match, join_match
from tests.support.people import Wire, as_, make_match, run
from tests.support.sessions import session_of

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "fifteen-two-4"
LOG_IN = ("/accounts/login/", {"login": "Margery", "password": PASSWORD})
SIGN_UP = ("/accounts/signup/", {"username": "Margery", "email": "", "password1": PASSWORD})


async def name_heard(wire: Wire, name: str) -> None:
    """Wait until a table says that its first seat has this name."""
    while (await wire.hear("table"))["seats"][0]["name"] != name:
        pass


def test_a_guests_table_comes_back_as_the_account() -> None:
    """It would play on for the account otherwise, even after a log-out."""
    Player.objects.create_user("Margery", password=PASSWORD)
    match, (guest, friend) = make_match()
    tab = as_(guest)

    async def scenario() -> None:
        table, other = await Wire(match, guest).open(), await Wire(match, friend).open()
        await table.hear("view")
        await other.hear("view")
        await sync_to_async(tab.post)(*LOG_IN)
        bye = await table.hear("bye")
        assert bye["code"] == "restart"
        assert bye["retry"] > 0, "the browser does not have the new session at once"
        await table.ended()
        await name_heard(other, "Margery")
        await other.hang_up()

    run(scenario())


@pytest.mark.parametrize("watchable", [False, True])
def test_it_also_comes_back_if_its_process_learns_only_that_the_seats_changed(
    monkeypatch: pytest.MonkeyPatch, watchable: bool
) -> None:
    """That another process announced the login is lost while Redis is away."""
    account = Player.objects.create_user("Margery", password=PASSWORD)
    match, (guest, _) = make_match()
    Match.objects.update(watchable=watchable)
    monkeypatch.setattr(announce, "player_merged", lambda guest: None)

    async def scenario() -> None:
        table = await Wire(match, guest).open()
        await table.hear("view")
        await sync_to_async(merge_guest)(guest=guest, account=account)
        assert (await table.hear("bye"))["code"] == "restart"
        await table.ended()

    run(scenario())


def test_so_does_a_private_table_that_waits_for_its_other_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is not refused as to a player who has left it, who is still logged in."""
    account = Player.objects.create_user("Margery", password=PASSWORD)
    guest = create_guest()
    match, session = create_match(creator=guest, ruleset=Ruleset()), session_of(guest)
    monkeypatch.setattr(announce, "player_merged", lambda guest: None)

    async def scenario() -> None:
        table = await Wire(match, guest, session=session).open()
        await table.hear("table", status="waiting")
        await sync_to_async(merge_guest)(guest=guest, account=account)
        assert (await table.hear("bye"))["code"] == "restart"
        await table.ended()

    run(scenario())


@pytest.mark.parametrize("ranked", [False, True])
def test_a_computer_gets_the_seat_of_a_guest_who_logs_in_to_an_account_at_the_same_table(
    ranked: bool,
) -> None:
    """A person has one seat, and no one can log in as the guest again."""
    account = Player.objects.create_user("Margery", password=PASSWORD)
    guest = create_guest(name="Carl")
    if ranked:
        decks = Decks.objects.create(packs=[])
        match = begin_ranked(players=[guest, account], decks=decks, clock=None)
    else:
        match = create_match(creator=guest, ruleset=Ruleset())
        join_match(player=account, invite=match.invite)
    tab = as_(guest)

    async def scenario() -> None:
        table, other = await Wire(match, guest).open(), await Wire(match, account).open()
        await table.hear("view")
        await sync_to_async(tab.post)(*LOG_IN)
        await table.hear("bye")
        while not (await other.hear("table"))["seats"][0]["stand_in"]:
            pass
        await table.ended()
        await other.hang_up()

    run(scenario())


def test_a_table_shows_the_name_with_which_a_guest_signed_up() -> None:
    match, (guest, friend) = make_match()
    tab = as_(guest)

    async def scenario() -> None:
        table, other = await Wire(match, guest).open(), await Wire(match, friend).open()
        await table.hear("view")
        await other.hear("view")
        await sync_to_async(tab.post)(*SIGN_UP)
        await name_heard(other, "Margery")
        await other.hang_up()
        await table.hang_up()
        assert "bye" not in table.kinds

    run(scenario())
