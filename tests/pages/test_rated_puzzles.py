"""Pages of rated puzzles and storms: what they show before an answer, and to whom."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.learn import glicko, rated_puzzles, storm
from games.models import Player, PuzzleAttempt, PuzzleRating, RatedPuzzle, Storm
from games.models.rated_puzzles import SETTLES_AFTER
from games.people.accounts import create_guest
from games.templatetags.cribbage import chips

pytestmark = pytest.mark.django_db

THROW = "d 45-60 4D5H6H7C8CJS"
PLAY = "p 18-27 7S8H8STD 3DTC 4S5C6S9C 2H3H 4H 8H4S8S9C"
COUNT = "hand 5D5H5SJC 5C"


def puzzle(position: str, kind: str, theme: str = "runs") -> RatedPuzzle:
    return RatedPuzzle.objects.create(
        kind=kind,
        theme=theme,
        position=position,
        rating=1500,
        deviation=glicko.PUZZLE_DEVIATION,
        volatility=glicko.VOLATILITY,
    )


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show a rating from the first puzzle on."""
    for name in ("games.models.rated_puzzles", "games.pages.learn.rated_puzzles"):
        monkeypatch.setattr(f"{name}.SETTLES_AFTER", 1)


def begin(client: Client, only: str = "") -> str:
    answer = client.post("/puzzles/", {"only": only})
    assert answer.status_code == 302
    return str(answer["Location"])


def test_looking_makes_no_guest_and_starting_makes_one(client: Client) -> None:
    puzzle(THROW, "throw")
    assert client.get("/puzzles/").status_code == 200
    assert client.get("/puzzles/storm/").status_code == 200
    assert client.get("/puzzles/history/").status_code == 200
    assert not Player.objects.exists()
    begin(client)
    assert Player.objects.get().is_guest


@pytest.mark.parametrize(("position", "kind"), [(THROW, "throw"), (PLAY, "lead")])
def test_no_page_holds_the_solution_or_hidden_cards_before_the_answer(
    client: Client, player: Player, position: str, kind: str
) -> None:
    puzzle(position, kind)
    asked = client.get(begin(client)).content.decode()
    assert "Best:" not in asked
    assert "verdict" not in asked
    assert position not in asked
    for hidden in ("QD", "5C", "6S", "3H"):
        assert f'value="{hidden}"' not in asked


def test_an_answer_shows_the_best_choice_and_the_change_of_the_rating(
    client: Client, player: Player, settled: None
) -> None:
    puzzle(THROW, "throw")
    path = begin(client)
    shown = client.post(path, {"cards": ["5H", "6H"]}, follow=True)
    page = shown.content.decode()
    own = PuzzleRating.objects.get()
    assert "Not solved" in page
    assert str(round(own.rating)) in page
    assert "Best:" in page
    again = client.post(path, {"cards": ["4D", "JS"]}, follow=True).content.decode()
    assert "Not solved" in again
    assert PuzzleRating.objects.get().attempts == 1


@pytest.mark.parametrize("cards", [[], ["5H"], ["XX", "YY"], ["KD", "KH"], ["5H", "6H", "7C"]])
def test_a_bad_answer_is_explained_and_costs_nothing(
    client: Client, player: Player, cards: list[str]
) -> None:
    puzzle(THROW, "throw")
    answer = client.post(begin(client), {"cards": cards})
    assert answer.status_code == 422
    assert 'id="pick-error"' in answer.content.decode()
    assert not PuzzleRating.objects.exists()


def test_no_one_else_sees_an_attempt(client: Client, player: Player) -> None:
    puzzle(THROW, "throw")
    path = begin(client)
    stranger = Client()
    stranger.force_login(create_guest())
    assert stranger.get(path).status_code == 404
    assert stranger.post(path, {"cards": ["4D", "JS"]}).status_code == 404
    assert Client().get(path).status_code == 404
    late = Client().post(path, {"cards": ["4D", "JS"]}, follow=True)
    assert late.redirect_chain == [("/accounts/login/?next=/puzzles/", 302)]
    assert "logged out, so nothing was saved" in late.content.decode()


def test_a_count_has_a_clock_which_a_reload_does_not_restart(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle(COUNT, "count", "counting")
    path, now = begin(client, "count"), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    PuzzleAttempt.objects.update(shown_at=now - timedelta(seconds=12))
    assert client.get(path).context["seconds"] == 18
    PuzzleAttempt.objects.update(shown_at=now - timedelta(minutes=2))
    page = client.get(path).content.decode()
    assert "Out of time" in page
    assert PuzzleAttempt.objects.get().solved is False


@pytest.mark.parametrize(("said", "solved"), [("29", True), ("28", False)])
def test_a_count_is_right_or_wrong(client: Client, player: Player, said: str, solved: bool) -> None:
    puzzle(COUNT, "count", "counting")
    page = client.post(begin(client, "count"), {"cards": said}, follow=True).content.decode()
    assert ("Not solved" in page) is not solved
    assert PuzzleAttempt.objects.get().solved is solved


@pytest.mark.parametrize("path", ["/puzzles/", "/puzzles/storm/"])
def test_on_a_new_site_the_first_click_shows_a_puzzle(client: Client, path: str) -> None:
    assert not RatedPuzzle.objects.exists()
    page = client.post(path, follow=True)
    assert page.context["row"].puzzle in RatedPuzzle.objects.all()


def test_no_rating_is_shown_while_it_jumps(client: Client, player: Player) -> None:
    """The first wrong answer costs some 170 points: right for Glicko-2, and frightening."""
    for n in range(1, SETTLES_AFTER + 2):
        puzzle(f"d {40 + n}-60 4D5H6H7C8CJS", "throw")
        path = begin(client)
        page = client.post(path, {"cards": ["5H", "6H"]}, follow=True).content.decode()
        top, home = (client.get(each).content.decode() for each in ("/puzzles/", "/"))
        own = round(PuzzleRating.objects.get().rating)
        if n < SETTLES_AFTER:
            assert f"Puzzle {n} of {SETTLES_AFTER} before your rating appears." in page
            assert "puzzle-change" not in page
            assert "Your rating appears after" in top
            assert f"rating {own}" not in home
        else:
            assert f"{own} (−" in page
            assert "before your rating appears" not in page
            assert "Your rating appears after" not in top
            assert f"rating {own}" in home
    history = client.get("/puzzles/history/").content.decode()
    ratings = re.findall(r'data-label="Rating" class="num">([^<]*)<', history)
    assert ["–" not in one for one in ratings] == [True, True] + [False] * (SETTLES_AFTER - 1)
    assert re.search(r"over the last 2 puzzles", history)


def test_the_history_lists_attempts_and_draws_the_rating(
    client: Client, player: Player, settled: None
) -> None:
    for n in (50, 55):
        puzzle(f"d {n}-60 4D5H6H7C8CJS", "throw")
        client.post(begin(client), {"cards": ["4D", "JS"]})
    page = client.get("/puzzles/history/").content.decode()
    assert page.count("data-label=") == 8
    assert "plot-rating-line" in page


def test_a_storm_asks_counts_and_ends(client: Client, player: Player) -> None:
    puzzle(COUNT, "count", "counting")
    puzzle("crib 5D5H5SJC 5C", "count", "counting")
    client.post("/puzzles/storm/")
    asked = client.get("/puzzles/storm/")
    assert 170 < asked.context["seconds"] <= 180
    bad = client.post(asked.context["action"], {"cards": "many"})
    assert bad.status_code == 422
    client.post(asked.context["action"], {"cards": "29"})
    client.post(asked.context["action"], {"cards": "29"})
    assert Storm.objects.get().solved == 1
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT)
    page = client.get("/puzzles/storm/").content.decode()
    assert "solved in your last storm" in page
    assert "data-countdown" not in page


def test_a_storms_result_lists_what_was_missed_with_the_right_answers(
    client: Client, player: Player
) -> None:
    for position in (COUNT, "crib 5D5H5SJC 5C"):
        puzzle(position, "count", "counting")
    puzzle(THROW, "throw")
    client.post("/puzzles/storm/")
    for _ in range(3):
        shown = client.get("/puzzles/storm/")
        assert "What you missed" not in shown.content.decode()
        wrong = "3" if shown.context["counts"] else ["4D", "JS"]
        client.post(shown.context["action"], {"cards": wrong})
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT)
    page = client.get("/puzzles/storm/").content.decode()
    missed = list(PuzzleAttempt.objects.filter(solved=False))
    assert len(missed) == Storm.objects.get().missed == 3
    for row in missed:
        assert f'href="/puzzles/{row.pk}/"' in page
        result = client.get(f"/puzzles/{row.pk}/")
        assert "Not solved" in result.content.decode()
        assert 'href="/puzzles/storm/"' in result.content.decode()
        for of_rated_puzzles in ("Next puzzle", "in a row"):
            assert of_rated_puzzles not in result.content.decode()
        best = result.context.get("best")
        assert (str(chips(best)) if best else f'Right answer">{result.context["total"]}<') in page


def test_what_a_storm_missed_is_not_analysed_again_for_its_list(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle(THROW, "throw")
    client.post("/puzzles/storm/")
    client.post(client.get("/puzzles/storm/").context["action"], {"cards": ["4D", "JS"]})
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT)
    monkeypatch.setattr(rated_puzzles, "judge_answer", lambda **_: 1 / 0)
    rated_puzzles._item_of.cache_clear()  # as in another process
    for _ in range(2):
        assert "What you missed" in client.get("/puzzles/storm/").content.decode()


def test_who_has_seen_every_puzzle_is_shown_the_running_storm(
    client: Client, player: Player
) -> None:
    puzzle(COUNT, "count", "counting")
    client.post("/puzzles/storm/")
    client.post(client.get("/puzzles/storm/").context["action"], {"cards": "3"})
    Storm.objects.update(started_at=timezone.now() - storm.LIMIT)
    earlier = PuzzleAttempt.objects.get()
    puzzle("crib 5D5H5SJC 5C", "count", "counting")
    client.post("/puzzles/storm/")
    client.post(client.get("/puzzles/storm/").context["action"], {"cards": "4"})
    shown = client.get("/puzzles/storm/")
    page = shown.content.decode()
    assert "seen every puzzle" in page
    assert shown.context["last"] == Storm.objects.latest("pk")
    assert f'href="/puzzles/{earlier.pk}/"' not in page
    assert f'href="/puzzles/{PuzzleAttempt.objects.latest("pk").pk}/"' in page


def test_the_result_of_a_storms_open_puzzle_is_hidden(client: Client, player: Player) -> None:
    puzzle(COUNT, "count", "counting")
    client.post("/puzzles/storm/")
    client.get("/puzzles/storm/")
    row = PuzzleAttempt.objects.get()
    assert client.get(f"/puzzles/{row.pk}/").status_code == 404


def test_another_players_attempt_is_no_answer_in_a_storm(client: Client, player: Player) -> None:
    for position in (COUNT, "crib 5D5H5SJC 5C"):
        puzzle(position, "count", "counting")
    other = storm.start(player=create_guest())
    theirs = storm.current(storm=other)
    assert theirs is not None
    client.post("/puzzles/storm/")
    client.post(f"/puzzles/storm/?attempt={theirs.pk}", {"cards": "29"})
    theirs.refresh_from_db()
    assert theirs.answered_at is None


def test_an_unknown_filter_asks_any_puzzle(client: Client, player: Player) -> None:
    puzzle(THROW, "throw")
    assert "only=" not in begin(client, "<nonsense>")
    assert rated_puzzles.is_filter("pairs")


def test_the_home_page_shows_the_rating(client: Client, player: Player, settled: None) -> None:
    puzzle(THROW, "throw")
    client.post(begin(client), {"cards": ["4D", "JS"]})
    own = PuzzleRating.objects.get()
    page = client.get("/").content.decode()
    assert 'href="/puzzles/"' in page
    assert f"rating {round(own.rating)}" in page
