"""The list of a player's ranked games: places in the field, and changes of the rating."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from games.models import Player
from ratings.models import Attempt, Play, RatingChange
from ratings.pages import ranked_games, sentences
from ratings.rating.results import collect
from ratings.standard import catalogue, daily, field
from ratings.templatetags.standard import whole_change
from tests.support.people import as_
from tests.support.standard_tables import people, play_on

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("midday", "fixed_cards"),
]

MOST_QUERIES = 12


def ranked(players: list[Player], levels: tuple[str, str] = ("nora", "alfie")) -> Attempt:
    """Play a ranked game to its end, and return the first player's attempt."""
    game = catalogue.choose_game(players=players)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match, levels)
    collect(match=match.pk)
    return Attempt.objects.get(play__match=match, player=players[0])


def rows(client: Client, query: str = "") -> list[str]:
    """Return the rows of the list as text."""
    page = client.get(f"/ranked/games/{query}").content.decode()
    found = re.findall(r'<li class="ranked-row">(.*?)</li>', page, re.DOTALL)
    return [" ".join(strip_tags(row).split()) for row in found]


def test_each_game_shows_its_place_and_what_it_did_to_the_rating() -> None:
    ann, bob, cat, dan = people(4)
    attempt = ranked([ann, bob])
    ranked([cat, dan], ("poppy", "grace"))
    (row,) = rows(as_(ann))
    verdict = field.verdict(
        attempt, field.margins_of(game=attempt.standard_game, seat=attempt.seat)
    )
    assert verdict.others == 1
    assert row.startswith(f"{sentences.place_or_tie(verdict)} Rating")
    change = RatingChange.objects.get(player=ann, own=True)
    assert f"{change.was:.0f} → {change.now:.0f}" in row
    assert f" {whole_change(change)} " in row
    assert f"against {bob.name}" in row


def test_a_score_of_who_left_or_ran_out_of_time_says_so() -> None:
    ann, bob = people(2)
    attempt = ranked([ann, bob])
    assert "(" not in rows(as_(ann))[0].partition("against")[0]
    attempt.ended, attempt.score, attempt.won = Attempt.Ended.TIMED_OUT, 121, False
    attempt.save()
    assert "Lost 121 (ran out of time) : " in rows(as_(ann))[0]
    assert ": 121 (ran out of time) against" in rows(as_(bob))[0]


def test_each_game_has_the_change_that_names_it() -> None:
    ann, bob = people(2)
    first, second = ranked([ann, bob]), ranked([ann, bob])
    assert first.standard_game_id != second.standard_game_id
    changes = RatingChange.objects.filter(player=ann, own=True).order_by("pk")
    shown = [f"{change.was:.0f} → {change.now:.0f}" for change in changes]
    assert len(shown) == 2
    newest, oldest = rows(as_(ann))
    assert shown[0] in oldest and shown[1] in newest


def test_only_the_readers_ranked_games_are_listed() -> None:
    ann, bob, cat, dan = people(4)
    ranked([ann, bob])
    ranked([cat, dan])
    match = daily.begin(player=ann)
    play_on(match)
    collect(match=match.pk)
    assert len(rows(as_(ann))) == 1
    page = as_(ann).get("/ranked/games/").content.decode()
    assert "<h1>My ranked games</h1>" in page
    assert "One ranked game" not in Client().get("/ranked/games/").content.decode()
    assert "Play ranked" in Client().get("/ranked/games/").content.decode()


def test_the_filters_choose_by_result_and_seats() -> None:
    ann, bob = people(2)
    won = ranked([ann, bob]).won
    client = as_(ann)
    there, gone = ("won", "lost") if won else ("lost", "won")
    assert len(rows(client, f"?result={there}")) == 1
    assert rows(client, f"?result={gone}") == []
    assert len(rows(client, "?seats=2")) == 1
    assert rows(client, "?seats=3") == []
    page = client.get(f"/ranked/games/?result={gone}&seats=2").content.decode()
    assert "Show all ranked games" in page
    assert f'href="?seats=2&amp;result={there}"' in page
    assert 'href="?seats=2"' in page  # without the result that is chosen


def test_a_game_that_does_not_count_says_so() -> None:
    ann, bob = people(2)
    attempt = ranked([ann, bob])
    Play.objects.filter(pk=attempt.play_id).update(exclusion="pair_cap", sequence=None)
    (row,) = rows(as_(ann))
    assert "Not rated: you met this opponent too often this month" in row


def test_the_number_of_queries_does_not_depend_on_the_list_length() -> None:
    ann, bob = people(2)
    client = as_(ann)

    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get("/ranked/games/")
        return len(queries)

    ranked([ann, bob])
    few = statements()
    for _ in range(3):
        ranked([ann, bob])
    assert len(rows(client)) == 4
    assert statements() == few <= MOST_QUERIES


def test_older_games_are_on_further_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranked_games, "PER_PAGE", 2)
    ann, bob = people(2)
    for _ in range(3):
        ranked([ann, bob])
    client = as_(ann)
    assert len(rows(client)) == 2
    assert len(rows(client, "?page=2")) == 1
    assert 'href="?page=2"' in client.get("/ranked/games/").content.decode()


def test_the_oldest_games_lead_back_to_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranked_games, "PER_PAGE", 1)
    ann, bob = people(2)
    for _ in range(3):
        ranked([ann, bob])
    pages = [as_(ann).get(f"/ranked/games/?seats=2&page={n}").content.decode() for n in (1, 2, 3)]
    assert ['href="?seats=2">Newest</a>' in page for page in pages] == [False, False, True]
