"""Computers and substitutes: names, versions, levels, and players who leave and return."""

from __future__ import annotations

import asyncio

import pytest

from games.bots import get, levels
from games.engine.state import Ruleset
from games.log import match_meta
from games.models import Match, Seat
from games.people.accounts import create_guest
from games.tables.rematches import make_rematch
from games.tables.tables import (
    create_match,
    fill_seat,
    join_match,
    leave_match,
    seat_stand_in,
    take_back,
)
from games.wire.refusals import Refused
from tests.support.clients import Client
from tests.support.servers import Site, StartSite, manage
from tests.support.tables import make_tables, wish


@pytest.mark.django_db
def test_a_match_records_its_computers_and_their_versions() -> None:
    match = create_match(
        creator=create_guest(), ruleset=Ruleset(players=3), computers={1: "nora", 2: "ada"}
    )
    rows = match.seats.filter(computer=True).order_by("seat")
    kept = [(row.player.bot, row.player.bot_version) for row in rows if row.player]
    assert kept == [(name, str(get(name).version)) for name in ("nora", "ada")]


@pytest.mark.django_db
def test_a_leaver_is_replaced_at_the_agreed_level_and_can_take_back_the_seat() -> None:
    ann, bob, cy = create_guest(), create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3), stand_in="nora")
    for player in (bob, cy):
        join_match(player=player, invite=match.invite)
    leave_match(match=match, player=cy)
    row = Seat.objects.get(match=match, player=cy)
    assert row.stand_in is not None
    assert (row.stand_in.bot, row.stand_in.bot_version) == ("nora", str(get("nora").version))
    meta = match_meta.load(pk=match.pk)
    assert meta is not None
    assert (meta.seats[2].level, meta.seats[2].stand_in) == ("nora", "Nora")
    assert take_back(match=match, player=cy)
    row.refresh_from_db()
    assert row.stand_in is None
    assert list(match.seats.filter(substituted=True)) == [row]


@pytest.mark.django_db
def test_the_strongest_computer_substitutes_by_default() -> None:
    ann, bob = create_guest(), create_guest()
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    seat_stand_in(match=match, seat=1)
    row = Seat.objects.select_related("stand_in").get(match=match, player=bob)
    assert row.stand_in is not None
    assert row.substituted
    assert row.stand_in.bot == levels()[-1].name


@pytest.mark.django_db
def test_a_rematch_keeps_the_agreed_settings() -> None:
    match = create_match(
        creator=create_guest(),
        ruleset=Ruleset(),
        computers={1: "poppy"},
        hints=True,
        stand_in="nora",
    )
    match.status = Match.Status.FINISHED
    match.save()
    again = make_rematch(match=match)
    assert (again.hints, again.stand_in_level) == (True, "nora")


@pytest.mark.django_db
def test_an_unknown_substitute_level_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        create_match(creator=create_guest(), ruleset=Ruleset(), stand_in="hal")
    assert refused.value.code == "no_such_level"


@pytest.mark.django_db
@pytest.mark.parametrize(("others", "allowed"), [(0, True), (1, False)])
def test_hints_are_allowed_only_if_computers_fill_all_other_seats(
    others: int, allowed: bool
) -> None:
    ann = create_guest()
    match = create_match(creator=ann, ruleset=Ruleset(players=3))
    for _ in range(others):
        join_match(player=create_guest(), invite=match.invite)
    for seat in range(1 + others, 3):
        fill_seat(match=match, by=ann, seat=seat, level="poppy")
    match.refresh_from_db()
    assert match.hints is allowed


def test_a_player_who_left_can_return_to_their_seat(start_site: StartSite) -> None:
    """Over real sockets: a player leaves, is replaced by a computer, returns and plays on."""
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
        await ann.act("stand_in", {"seat": 1, "v": ann.version})
        await ann.see(lambda: stood_in(ann) == "Nora")
        await ann.see(lambda: ann.view["discarded"][1])
        bob.table = {}
        await bob.connect()
        await bob.see(lambda: bool(bob.table) and stood_in(bob) is None)
        await ann.see(lambda: stood_in(ann) is None)
        assert bob.view["seat"] == 1
        assert len(bob.view["cards"]) == 4, "the substitute's discard stands"
        await asyncio.gather(ann.play(), bob.play())
        assert ann.view["winner"] == bob.view["winner"]
        assert any(ident.startswith(bob.name) for ident in bob.acknowledged), "he played again"
        for client in (ann, bob):
            await client.close()

    asyncio.run(session())
    assert "1 match" in manage(site.database_url, "verify_matches")
