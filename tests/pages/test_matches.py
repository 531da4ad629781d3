"""The match list, the page of one match hand by hand, and the game record download."""

import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.engine.record import read_record
from games.engine.state import Ruleset
from games.models import Hand, Match, Player, Seat
from games.safety.erasure import hand_over
from games.tables.tables import create_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db


def played(player: Player, *, watchable: bool = False, **rules: object) -> Match:
    """Return a finished match of `player` against computers."""
    ruleset = Ruleset.from_dict(rules)
    match = create_match(
        creator=player,
        ruleset=ruleset,
        computers=dict.fromkeys(range(1, ruleset.players), "poppy"),
        watchable=watchable,
    )
    play_on(match.public_id)
    match.refresh_from_db()
    return match


def test_running_matches_are_listed_first_then_the_newest(client: Client, player: Player) -> None:
    first, second = played(player), played(player, target=61)
    running = create_match(creator=player, ruleset=Ruleset())
    page = client.get("/matches/").content.decode()
    places = [
        page.index(f"/t/{running.public_id}/"),
        page.index(f"/matches/{second.public_id}/"),
        page.index(f"/matches/{first.public_id}/"),
    ]
    assert places == sorted(places)


@pytest.mark.parametrize("players", [2, 3])
def test_a_match_page_shows_each_hand_and_the_final_score(
    client: Client, player: Player, players: int
) -> None:
    match = played(player, players=players)
    answer = client.get(f"/matches/{match.public_id}/")
    (game,) = answer.context["sheet"]
    assert len(game.rows) == Hand.objects.filter(match=match).count()
    assert all(len(part.kept.split()) == 4 for row in game.rows for part in row.seats)
    final = [part.score for part in game.rows[-1].seats]
    stored = match.seats.order_by("seat").values_list("score", flat=True)
    assert final == list(stored)
    assert max(final) == 121


def test_each_line_of_the_score_sheet_adds_up(client: Client, player: Player) -> None:
    match = played(player, players=3)
    (game,) = client.get(f"/matches/{match.public_id}/").context["sheet"]
    for row in game.rows[:-1]:
        for part in row.seats:
            crib = row.crib_points if part.is_dealer else 0
            assert part.pegging + part.hand_points + crib + part.muggins == part.gained


def test_a_skunk_is_shown(client: Client, player: Player) -> None:
    match = played(player)
    loser = match.seats.get(won=False)
    last = loser.hand_seats.order_by("-hand__number").first()
    assert last is not None
    last.score_after = 85
    last.save()
    page = client.get(f"/matches/{match.public_id}/").content.decode()
    assert re.search(r'class="tag">\s*skunk', page)
    assert "2 match points" in page


def test_a_running_match_shows_no_cards(client: Client, player: Player) -> None:
    match = create_match(creator=player, ruleset=Ruleset(first_dealer=0), computers={1: "poppy"})
    play_on(match.public_id, moves=40)
    assert Hand.objects.filter(match=match).exists()
    page = client.get(f"/matches/{match.public_id}/")
    assert all(
        part.kept == part.thrown == "" == row.crib
        for game in page.context["sheet"]
        for row in game.rows
        for part in row.seats
    )
    assert client.get(f"/matches/{match.public_id}/record.jsonl").status_code == 404


def test_an_abandoned_match_is_not_called_one_in_progress(client: Client, player: Player) -> None:
    match = create_match(creator=player, ruleset=Ruleset(), computers={1: "poppy"}, watchable=True)
    play_on(match.public_id, moves=60)
    hand_over(player)
    for reader in (client, Client()):
        page = reader.get(f"/matches/{match.public_id}/").content.decode()
        assert "<h1>Abandoned</h1>" in page
        assert "in progress" not in page and "still going" not in page
        assert "Others may still play" not in page


@pytest.mark.parametrize("hands", [0, 2])
def test_an_unfinished_import_is_not_called_a_draw(
    client: Client, player: Player, hands: int
) -> None:
    match = played(player)
    record = json.loads(client.get(f"/matches/{match.public_id}/record.jsonl").content)
    record = {key: record[key] for key in ("players", "target", "first_dealer", "hands")}
    last = {key: record["hands"][hands][key] for key in ("dealer", "dealt")}
    record["hands"] = [*record["hands"][:hands], last]
    file = SimpleUploadedFile("game.json", json.dumps(record).encode())
    where = client.post("/matches/import/", {"file": file, "me": "0"})["Location"]
    page = client.get(where).content.decode()
    assert "<h1>Abandoned</h1>" in page
    assert "drawn" not in page and "still going" not in page


def test_a_private_rematch_is_linked_for_its_players_only(client: Client, player: Player) -> None:
    match = played(player, watchable=True)
    again = create_match(creator=player, ruleset=Ruleset(), computers={1: "poppy"})
    Match.objects.filter(pk=match.pk).update(rematch=again)
    address = f"/matches/{match.public_id}/"
    link = f'href="/t/{again.public_id}/">Go to the rematch</a>'
    assert link in client.get(address).content.decode()
    assert f"/t/{again.public_id}/" not in Client().get(address).content.decode()
    Match.objects.filter(pk=again.pk).update(watchable=True)
    assert f"/t/{again.public_id}/" in Client().get(address).content.decode()


def test_a_branch_of_an_import_was_not_played_on_from_the_board(
    client: Client, player: Player
) -> None:
    match = played(player, scores=[5, 3])
    source = played(player)
    Match.objects.filter(pk=match.pk).update(branch_of=source, branch_step=3)
    page = client.get(f"/matches/{match.public_id}/").content.decode()
    assert "Continued from another match" in page
    assert "from the analysis board" not in page and page.count("Only you can see it") == 1


def test_the_downloaded_record_can_be_read_again(client: Client, player: Player) -> None:
    match = played(player, games=2)
    answer = client.get(f"/matches/{match.public_id}/record.jsonl")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    lines = answer.content.decode().splitlines()
    assert len(lines) == 2
    for line in lines:
        assert read_record(json.loads(line)).difference is None


def test_an_imported_download_names_who_played(client: Client, player: Player) -> None:
    match = played(player)
    record = client.get(f"/matches/{match.public_id}/record.jsonl").content
    uploaded = SimpleUploadedFile("game.jsonl", record)
    client.post("/matches/import/", {"file": uploaded})
    imported = Match.objects.get(imported=True)
    names = [seat.shown_name for seat in match.seats.order_by("seat")]
    assert [seat.shown_name for seat in imported.seats.order_by("seat")] == names


def test_a_stranger_sees_only_watchable_matches(player: Player) -> None:
    stranger = Client()
    private, public = played(player), played(player, watchable=True)
    for path in ("", "record.jsonl"):
        assert stranger.get(f"/matches/{private.public_id}/{path}").status_code == 404
        assert stranger.get(f"/matches/{public.public_id}/{path}").status_code == 200


def test_an_account_is_offered_only_after_a_finished_match(client: Client, player: Player) -> None:
    create_match(creator=player, ruleset=Ruleset(), computers={1: "poppy"})
    assert "Keep your games" not in client.get("/").content.decode()
    played(player)
    assert "Keep your games, Margery?" in client.get("/").content.decode()


@pytest.mark.parametrize("place", ["matches", "t"])
def test_a_guest_who_signs_up_at_a_match_gets_back_to_it(
    client: Client, player: Player, place: str
) -> None:
    match = played(player).public_id
    page = client.get(f"/matches/{match}/").content.decode()
    assert f"/accounts/signup/?next=/matches/{match}/" in page
    address = f"/{place}/{match}/"
    fields = {"username": "Dora", "password1": "pegging-15-2", "password2": "pegging-15-2"}
    answer = client.post("/accounts/signup/", {**fields, "next": address}, follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, address)
    assert not Player.objects.get(username="Dora").is_guest


def test_a_visitor_without_matches_is_offered_a_game(client: Client) -> None:
    page = client.get("/matches/").content.decode()
    assert 'action="/play/"' in page
    assert not Seat.objects.exists()


def test_a_match_page_draws_each_game_and_needs_a_constant_number_of_queries(
    client: Client, player: Player, django_assert_max_num_queries: Any
) -> None:
    match = played(player, games=2)
    with django_assert_max_num_queries(13):
        page = client.get(f"/matches/{match.public_id}/").content.decode()
    assert page.count('class="plot plot-race" role="img"') == 2
    assert 'data-label="Score"' in page, "a phone shows the deciding column in each card"
