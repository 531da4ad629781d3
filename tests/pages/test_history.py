"""The "My matches" page: filters, totals and pagination."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.archive import matches
from games.archive.matches import BadCursor, Cursor, Filters
from games.engine.state import Ruleset
from games.models import Decks, Match, Player, Seat
from games.people.accounts import create_guest, merge_guest
from games.tables.forfeit import computer_of
from games.tables.tables import create_match
from games.templatetags.history import margin
from ratings.models import Attempt, Play, StandardGame
from tests.support.ended import ended

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]


def listed(client: Client, query: str = "") -> list[str]:
    """Return the ids of the matches on the page, in order."""
    answer = client.get(f"/matches/{query}")
    return [row.line.seat.match.public_id for row in answer.context["rows"]]


def ids(*rows: Match) -> list[str]:
    return [row.public_id for row in rows]


def total(client: Client, name: str, query: str = "") -> str:
    """Return a total as shown on the page."""
    page = client.get(f"/matches/{query}").content.decode()
    found = re.search(rf'data-total="{name}">(.*?)</dd>', page)
    assert found, f"no total {name}"
    return re.sub(r"<.*?>", "", found[1]).strip()


def test_a_lesson_is_listed_but_counts_neither_here_nor_on_the_players_page(
    client: Client, player: Player
) -> None:
    walter = computer_of("walter")
    ended(player, walter, ago=timedelta(hours=2))
    lesson = ended(player, walter, ago=timedelta(hours=1), lesson=True)
    assert lesson.public_id in listed(client)
    assert total(client, "matches") == total(client, "matches", f"?who={walter.public_id}") == "1"
    assert total(client, "matches", "?kind=lesson") == "1"
    assert "don't count in the record" in unescape(client.get("/matches/").content.decode())
    assert "don't count" not in unescape(client.get("/matches/?kind=casual").content.decode())
    profile = client.get(f"/players/{player.public_id}/")
    assert profile.context["record"][0].line.totals.matches == 1


def test_each_filter_shows_only_its_matches(client: Client, player: Player) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob Smith")
    poppy = computer_of("poppy")
    lost = ended(player, ann, winner=1, ago=timedelta(hours=1))
    three = ended(player, bob, ann, ago=timedelta(hours=2))
    computer = ended(player, poppy, ago=timedelta(hours=3), scores=(121, 60))
    ranked = ended(player, bob, ago=timedelta(hours=4), ranked=True)
    skunked = ended(player, bob, winner=1, ago=timedelta(hours=5), scores=(80, 121))
    drawn = ended(player, ann, winner=None, ago=timedelta(hours=6), imported=True)
    everything = [lost, three, computer, ranked, skunked, drawn]
    assert listed(client) == ids(*everything)
    for query, wanted in {
        "?result=won": [three, computer, ranked],
        "?result=lost": [lost, skunked],
        "?result=drawn": [drawn],
        "?seats=3": [three],
        "?kind=ranked": [ranked],
        "?kind=casual": [lost, three, computer, skunked],
        "?kind=imported": [drawn],
        "?against=computer": [computer],
        "?against=people": [lost, three, ranked, skunked, drawn],
        "?skunk=given": [computer],
        "?skunk=taken": [skunked],
        "?name=smi": [three, ranked, skunked],
        f"?who={ann.public_id}": [lost, three, drawn],
        f"?who={poppy.public_id}": [computer],
        "?name=smith&result=won&seats=2": [ranked],
    }.items():
        assert listed(client, query) == ids(*wanted), query


@pytest.mark.parametrize(
    ("name", "typed"),
    [("Élodie", "élo"), ("Élodie", "elod"), ("Анна", "анн"), ("O'Neill", "o’n"), ("Änne", "änne")],
)
def test_a_name_is_found_without_its_case_accents_and_kind_of_apostrophe(
    client: Client, player: Player, name: str, typed: str
) -> None:
    match = ended(player, create_guest(name=name))
    ended(player, create_guest(name="Simon"))
    assert listed(client, f"?{urlencode({'name': typed})}") == ids(match)


def test_the_names_of_all_opponents_are_read_once(client: Client, player: Player) -> None:
    ended(player, create_guest(name="Simon"))
    with CaptureQueriesContext(connection) as asked:
        assert client.get("/matches/?name=sim").status_code == 200
    names = 'SELECT "games_player"."id" AS "pk", "games_player"."name" AS "name" FROM'
    assert sum(names in each["sql"] for each in asked) == 1


def test_an_imported_name_is_found_like_any_other(client: Client, player: Player) -> None:
    match = ended(player, create_guest(name="Gast"), imported=True)
    match.seats.filter(seat=1).update(player=None, name="Élodie")
    ended(player, create_guest(name="Simon"))
    assert listed(client, f"?{urlencode({'name': 'elo'})}") == ids(match)


@pytest.mark.parametrize("typed", ["´", " ́", "'"])
def test_a_text_without_letters_finds_no_name(client: Client, player: Player, typed: str) -> None:
    ended(player, create_guest(name="Simon"))
    assert listed(client, f"?{urlencode({'name': typed})}") == ids()


def test_last_week_is_one_click_away(client: Client, player: Player) -> None:
    today = ended(player)
    week = ended(player, ago=timedelta(days=4))
    month = ended(player, ago=timedelta(days=20))
    old = ended(player, ago=timedelta(days=80))
    page = client.get("/matches/")
    links = {chip.text: f"?{chip.query}" for chip in page.context["chips"]}
    assert listed(client, links["Today"]) == ids(today)
    assert listed(client, links["7 days"]) == ids(today, week)
    assert listed(client, links["30 days"]) == ids(today, week, month)
    assert listed(client, links["All"]) == ids(today, week, month, old)
    chosen = [chip.text for chip in client.get(f"/matches/{links['7 days']}").context["chips"]
              if chip.chosen]  # fmt: skip
    assert chosen == ["7 days"]


def test_a_date_range_includes_both_days(client: Client, player: Player) -> None:
    now = timezone.now()
    days = [ended(player, at=now - timedelta(days=n)) for n in range(4)]
    first, last = (now - timedelta(days=2)).date(), (now - timedelta(days=1)).date()
    assert listed(client, f"?since={first}&until={last}") == ids(days[1], days[2])


def test_totals_follow_the_filter(client: Client, player: Player) -> None:
    ended(player, winner=1)
    ended(player, scores=(121, 60))
    ended(player, scores=(121, 100))
    assert total(client, "matches") == "3"
    assert total(client, "won") == "2 67%"
    assert [total(client, name) for name in ("skunks", "skunked")] == ["1", "0"]
    assert total(client, "margin") == "+20.3"
    assert total(client, "matches", "?result=lost") == "1"
    assert total(client, "margin", "?result=lost") == "−21.0"


@pytest.mark.parametrize(
    "filters",
    [
        Filters(),
        Filters(seats=3),
        Filters(kind=Seat.Kind.RANKED),
        Filters(computer=False, result="lost"),
        Filters(skunk="given"),
        Filters(skunk="taken", computer=True, seats=2),
        Filters(result="drawn", kind=Seat.Kind.IMPORTED),
    ],
)
def test_stored_totals_agree_with_the_matches(player: Player, filters: Filters) -> None:
    ann, poppy = create_guest(), computer_of("poppy")
    for n, others in enumerate(([ann], [poppy], [ann, poppy], [poppy, poppy])):
        for winner, scores in ((0, (121, 70, 99)), (1, (80, 121, 100)), (None, (9, 9, 9))):
            fields: dict[str, Any] = (
                {"ranked": True} if n == winner else {"imported": winner is None}
            )
            points = scores[: len(others) + 1]
            ended(player, *others, winner=winner, scores=points, **fields)
    kept = matches.totals_of(player, filters)
    counted = matches.totals(matches.played(player, filters))
    assert kept.matches == counted.matches > 0
    assert (kept.won, kept.lost, kept.drawn) == (counted.won, counted.lost, counted.drawn)
    assert (kept.skunks, kept.skunked) == (counted.skunks, counted.skunked)
    assert kept.margin == pytest.approx(counted.margin)


def test_a_guests_totals_move_to_their_account(player: Player) -> None:
    ended(player)
    ended(player, computer_of("poppy"), winner=1)
    account = Player.objects.create_user("Ann")
    ended(account)
    merge_guest(guest=player, account=account)
    assert matches.totals_of(account, Filters()).matches == 3
    assert matches.totals_of(account, Filters(result="lost")).matches == 1
    assert not Player.objects.filter(name="Margery").exists()


def test_pages_have_no_gaps_even_between_matches_of_the_same_moment(
    client: Client, player: Player
) -> None:
    moment = timezone.now()
    other = create_guest()
    made = [ended(player, other, at=moment) for _ in range(2 * matches.PER_PAGE + 3)]
    newest_first = ids(*reversed(made))
    found, query = [], ""
    for _ in range(3):
        answer = client.get(f"/matches/{query}")
        found += [row.line.seat.match.public_id for row in answer.context["rows"]]
        query = f"?{answer.context['older']}"
    assert found == newest_first
    assert not answer.context["has_older"]
    back = client.get(f"/matches/?{answer.context['newer']}")
    size = matches.PER_PAGE
    assert [row.line.seat.match.public_id for row in back.context["rows"]] == newest_first[
        size : 2 * size
    ]


def test_a_filter_is_kept_across_pages(client: Client, player: Player) -> None:
    other = create_guest()
    for n in range(2 * matches.PER_PAGE + 2):
        ended(player, other, winner=n % 2, ago=timedelta(minutes=n))
    answer = client.get("/matches/?result=won")
    assert "result=won" in answer.context["older"]
    older = client.get(f"/matches/?{answer.context['older']}")
    assert [row.result for row in older.context["rows"]] == ["won"]


def test_matches_can_be_found_by_standard_game_number(client: Client, player: Player) -> None:
    one, _ = ended(player, ranked=True), ended(player, ranked=True)
    game = StandardGame.objects.create(
        seats=2, decks=Decks.objects.create(packs=[]), salt="s", commitment="c"
    )
    play = Play.objects.create(standard_game=game, match=one, kind="ranked")
    Attempt.objects.create(play=play, standard_game=game, player=player, seat=0)
    assert listed(client, f"?standard={game.pk}") == ids(one)
    assert f"standard game #{game.pk}" in client.get("/matches/").content.decode()
    assert listed(client, f"?standard={game.pk + 1}") == []


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("since=2026-02-30", "Write the date like this: 2026-11-21."),
        ("since=2026-02-02&until=2026-01-01", "The last day is before the first. Swap them."),
        ("seats=7", "Select a valid choice"),
        ("standard=zero", "Enter a whole number."),
        ("who=nosuchone", "No player has the id “nosuchone”."),
        ("before=elsewhere", "“elsewhere” isn't in this list"),
        ("after=1-99999999999999999999", "isn't in this list"),
    ],
)
def test_invalid_filters_are_explained(
    client: Client, player: Player, query: str, said: str
) -> None:
    ended(player)
    answer = client.get(f"/matches/?{query}")
    assert answer.status_code == 422
    assert said in unescape(answer.content.decode())


def test_an_empty_result_is_explained(client: Client, player: Player) -> None:
    ended(player)
    page = client.get("/matches/?name=nobody+like+this").content.decode()
    assert "No matches found." in page


def test_a_margin_is_shown_with_its_half_point() -> None:
    shown = [margin(value) for value in (-6.5, 0.5, 3.0, -12.0, 0.0, None)]
    assert shown == ["−6.5", "+0.5", "+3", "−12", "0", "–"]


def test_the_list_shows_only_the_players_own_matches(client: Client, player: Player) -> None:
    theirs = ended(create_guest())
    mine = ended(player)
    assert listed(client) == ids(mine)
    page = Client().get("/matches/").content.decode()
    assert mine.public_id not in page
    assert theirs.public_id not in page


@pytest.mark.parametrize("query", ["", "?name=visitor", "?seats=2&result=won", "?standard=3"])
def test_the_number_of_queries_does_not_depend_on_the_list_length(
    client: Client, player: Player, query: str
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/matches/{query}")
        return len(queries)

    create_match(creator=player, ruleset=Ruleset(), computers={1: "poppy"})
    ended(player)
    few = statements()
    for _ in range(12):
        ended(player, create_guest(), create_guest())
        ended(player)
    assert statements() == few <= 12


def test_the_list_is_read_from_a_covering_index(player: Player) -> None:
    rows = matches.played(player, Filters(seats=2, result="won", skunk="given"))
    if connection.vendor == "postgresql":  # which scans an empty table once it knows that it is
        connection.cursor().execute("ANALYZE games_seat")
        connection.cursor().execute("SET LOCAL enable_seqscan = off")
    plan = rows.order_by("-ended_at", "-pk").values_list("ended_at", "pk")[:26].explain()
    covering, sorting = {
        "sqlite": ("COVERING INDEX seat_history", "TEMP B-TREE"),
        "postgresql": ("Index Only Scan using seat_history", "Sort"),
    }[connection.vendor]
    assert covering in plan
    assert sorting not in plan


def test_a_cursor_round_trips_through_text() -> None:
    place = Cursor(timezone.now(), 71)
    assert Cursor.parse(str(place)) == place


@pytest.mark.parametrize("text", ["", "12", "x-1", "1-x", "-1-2", "٣-1", "9" * 30 + "-1"])
def test_invalid_cursors_are_refused(text: str) -> None:
    with pytest.raises(BadCursor, match="no place in a list"):
        Cursor.parse(text)


def test_a_finished_match_is_not_listed_as_running(client: Client, player: Player) -> None:
    ended(player)
    assert client.get("/matches/").context["running"] == []
    assert Seat.objects.filter(player=player, ended_at__isnull=True).count() == 0
