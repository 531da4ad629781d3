"""Who plays for whom: computers by name and version, and the player who leaves and returns."""

from __future__ import annotations

import asyncio

import pytest

from games import headers, services
from games.accounts import create_guest
from games.bots import get, levels
from games.engine.state import Ruleset
from games.models import Match, Seat
from games.refusals import Refused
from tests.games.clients import Client
from tests.games.tables import make_tables, wish
from tests.servers import Site, StartSite, manage


@pytest.mark.django_db
def test_a_match_keeps_which_computer_sat_there_and_its_version() -> None:
    match = services.create_match(
        creator=create_guest(), ruleset=Ruleset(players=3), computers={1: "nora", 2: "ada"}
    )
    rows = match.seats.filter(computer=True).order_by("seat")
    kept = [(row.player.bot, row.player.bot_version) for row in rows if row.player]
    assert kept == [(name, str(get(name).version)) for name in ("nora", "ada")]


@pytest.mark.django_db
def test_who_leaves_is_replaced_at_the_level_agreed_and_takes_his_seat_back() -> None:
    ann, bob, cy = create_guest(), create_guest(), create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset(players=3), stand_in="nora")
    for player in (bob, cy):
        services.join_match(player=player, invite=match.invite)
    services.leave_match(match=match, player=cy)
    row = Seat.objects.get(match=match, player=cy)
    assert row.stand_in is not None
    assert (row.stand_in.bot, row.stand_in.bot_version) == ("nora", str(get("nora").version))
    header = headers.load(pk=match.pk)
    assert header is not None
    assert (header.seats[2].level, header.seats[2].stand_in) == ("nora", "Nora")
    assert services.take_back(match=match, player=cy)
    row.refresh_from_db()
    assert row.stand_in is None


@pytest.mark.django_db
def test_without_an_agreement_the_strongest_plays_on() -> None:
    ann, bob = create_guest(), create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset())
    services.join_match(player=bob, invite=match.invite)
    services.seat_stand_in(match=match, seat=1)
    row = Seat.objects.select_related("stand_in").get(match=match, player=bob)
    assert row.stand_in is not None
    assert row.stand_in.bot == levels()[-1].name


@pytest.mark.django_db
def test_what_was_agreed_holds_for_the_rematch() -> None:
    match = services.create_match(
        creator=create_guest(),
        ruleset=Ruleset(),
        computers={1: "poppy"},
        hints=True,
        stand_in="nora",
    )
    match.status = Match.Status.FINISHED
    match.save()
    again = services.make_rematch(match=match)
    assert (again.hints, again.stand_in_level) == (True, "nora")


@pytest.mark.django_db
def test_a_level_that_is_none_cannot_be_agreed_on() -> None:
    with pytest.raises(Refused) as refused:
        services.create_match(creator=create_guest(), ruleset=Ruleset(), stand_in="hal")
    assert refused.value.code == "no_such_level"


@pytest.mark.django_db
@pytest.mark.parametrize(("others", "allowed"), [(0, True), (1, False)])
def test_a_table_filled_with_computers_alone_allows_hints(others: int, allowed: bool) -> None:
    ann = create_guest()
    match = services.create_match(creator=ann, ruleset=Ruleset(players=3))
    for _ in range(others):
        services.join_match(player=create_guest(), invite=match.invite)
    for seat in range(1 + others, 3):
        services.fill_seat(match=match, by=ann, seat=seat, level="poppy")
    match.refresh_from_db()
    assert match.hints is allowed


def test_a_player_who_left_comes_back_to_his_seat(start_site: StartSite) -> None:
    """Over real sockets: he is away, the other lets the computer play on, he returns and plays."""
    site: Site = start_site(
        extra={"COMPUTER_PAUSE_MS": "0", "ABSENCE_GRACE_SECONDS": "1", "SOCKET_RATE": "1000"}
    )
    (table,) = make_tables(site.database_url, wish(stand_in="nora"))

    def stood_in(client: Client) -> str | None:
        return client.table["seats"][1]["stand_in"] if client.table else None

    async def session() -> None:
        ann = Client(site.socket_url, table.match, table.cookies[0], seed=1)
        bob = Client(site.socket_url, table.match, table.cookies[1], seed=2)
        await ann.connect()
        await bob.connect()
        await bob.see(lambda: bob.view.get("phase") == "discard")
        await bob.close()
        await ann.see(lambda: any(away["can_stand_in"] for away in ann.table.get("absent", [])))
        await ann.act("stand_in", {"seat": 1})
        await ann.see(lambda: stood_in(ann) == "Nora", within=30)
        await ann.see(lambda: ann.view["discarded"][1], within=30)
        bob.table = {}
        await bob.connect()
        await bob.see(lambda: bool(bob.table) and stood_in(bob) is None, within=30)
        await ann.see(lambda: stood_in(ann) is None)
        assert bob.view["seat"] == 1
        assert len(bob.view["cards"]) == 4, "what the computer threw for him stays thrown"
        await asyncio.gather(ann.play(within=90), bob.play(within=90))
        assert ann.view["winner"] == bob.view["winner"]
        assert any(ident.startswith(bob.name) for ident in bob.acknowledged), "he played again"
        for client in (ann, bob):
            await client.close()

    asyncio.run(session())
    assert "1 match" in manage(site.database_url, "verify_matches")
