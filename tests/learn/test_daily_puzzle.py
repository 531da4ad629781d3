"""The daily puzzle: one for all players, answered once, with everyone's discards afterwards."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client

from games.analysis.review import options
from games.engine.cards import NAMES, card_names, parse_cards
from games.learn import puzzles
from games.models import Player, Puzzle, PuzzleAnswer
from games.people.accounts import create_guest, merge_guest
from games.wire.refusals import Refused
from tests.learn.test_drills import names

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]


def test_all_players_get_the_same_puzzle_on_a_day(client: Client) -> None:
    first = client.get("/puzzle/")
    again = Client().get("/puzzle/")
    assert first.context["puzzle"] == again.context["puzzle"]
    assert Puzzle.objects.count() == 1
    assert len(set(parse_cards(Puzzle.objects.get().cards))) == 6


def test_a_puzzle_is_drawn_at_random_and_never_in_advance(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    tomorrow = puzzles.today() + timedelta(days=1)
    assert client.get(f"/puzzle/{tomorrow}/").status_code == 404
    assert not Puzzle.objects.filter(day__gt=puzzles.today()).exists()
    seen = set()
    for _ in range(3):
        client.get("/puzzle/")
        seen.add(Puzzle.objects.get().cards)
        Puzzle.objects.all().delete()
    assert len(seen) == 3


def test_a_puzzle_offers_a_close_choice(client: Client) -> None:
    client.get("/puzzle/")
    ranked = options(puzzles.view_of(Puzzle.objects.get()))
    assert puzzles.CLOSE <= ranked[0].chance - ranked[1].chance <= puzzles.CLEAR


def test_of_two_processes_that_draw_a_puzzle_the_first_to_store_it_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random_question = puzzles._random_question
    first: list[Puzzle] = []

    def overtaken() -> object:
        """Let another process draw after this one has found no puzzle."""
        monkeypatch.setattr(puzzles, "_random_question", random_question)
        puzzles._draw(puzzles.today())
        first.append(Puzzle.objects.get())
        return random_question()

    monkeypatch.setattr(puzzles, "_random_question", overtaken)
    assert puzzles.puzzle_of(day=puzzles.today()) == first[0]
    assert Puzzle.objects.get().cards == first[0].cards


def test_only_the_first_answer_to_a_puzzle_counts(client: Client) -> None:
    client.get("/puzzle/")
    found = Puzzle.objects.get()
    ranked = options(puzzles.view_of(found))
    shown = client.post("/puzzle/", {"cards": names(ranked[0].cards)}, follow=True)
    assert shown.context["is_best"]
    client.post("/puzzle/", {"cards": names(ranked[-1].cards)})
    row = PuzzleAnswer.objects.get()
    assert row.thrown == " ".join(names(ranked[0].cards))
    assert row.player.is_guest
    assert row.in_time
    text = shown.content.decode()
    assert text.count('class="share"') == 15
    assert "1 day in a row" in text


def test_others_discards_are_shown_in_percent_only_after_answering(client: Client) -> None:
    assert b'class="share"' not in client.get("/puzzle/").content
    found = Puzzle.objects.get()
    ranked = options(puzzles.view_of(found))
    for at in (0, 0, 0, 1):
        puzzles.answer(puzzle=found, player=create_guest(), cards=ranked[at].cards)
    shares, number = puzzles.shares(puzzle=found)
    assert number == 4
    assert shares == {
        " ".join(names(ranked[0].cards)): 75.0,
        " ".join(names(ranked[1].cards)): 25.0,
    }
    assert b"What 4 players threw" not in client.get("/puzzle/").content


@pytest.mark.parametrize("cards", [[], ["5H"], ["AC", "AC"], ["nonsense", "5H"]])
def test_a_bad_answer_to_the_puzzle_is_explained(client: Client, cards: list[str]) -> None:
    answer = client.post("/puzzle/", {"cards": cards})
    assert answer.status_code == 422
    assert "the wrong number of cards." in answer.content.decode()
    assert not PuzzleAnswer.objects.exists()


def test_only_the_puzzles_cards_can_be_discarded(client: Client) -> None:
    client.get("/puzzle/")
    found = Puzzle.objects.get()
    missing = [name for name in NAMES if name not in found.cards.split()][:2]
    with pytest.raises(Refused, match="not_your_card"):
        puzzles.answer(puzzle=found, player=create_guest(), cards=parse_cards(" ".join(missing)))


def test_a_puzzle_that_was_opened_before_midnight_takes_its_answer_afterwards(
    client: Client,
) -> None:
    shown = client.get("/puzzle/")
    found = Puzzle.objects.get()
    monday = puzzles.today() - timedelta(days=1)
    address = shown.context["action"].replace(f"{puzzles.today()}", f"{monday}")
    Puzzle.objects.update(day=monday)
    cards = parse_cards(found.cards)[:2]
    answer = client.post(address, {"cards": names(cards)}, follow=True)
    assert answer.status_code == 200 and b"You threw" in answer.content
    assert PuzzleAnswer.objects.get().puzzle == found
    assert not PuzzleAnswer.objects.get().in_time


def a_puzzle(day: date) -> Puzzle:
    return Puzzle.objects.create(day=day, cards="AC 2D 5H 6S TD KH", dealer=True, own=10, other=20)


def test_a_streak_counts_days_answered_in_time(player: Player) -> None:
    now = puzzles.today()
    days = [a_puzzle(now - timedelta(days=back)) for back in range(4)]
    for found in days[1:]:
        answer = puzzles.answer(puzzle=found, player=player, cards=parse_cards("TDKH"))
        assert not answer.in_time
    assert puzzles.streak(player=player) == 0
    PuzzleAnswer.objects.update(in_time=True)
    assert puzzles.streak(player=player) == 3, "today is not over yet"
    puzzles.answer(puzzle=days[0], player=player, cards=parse_cards("TDKH"))
    assert puzzles.streak(player=player) == 4
    PuzzleAnswer.objects.filter(puzzle=days[2]).delete()
    assert puzzles.streak(player=player) == 2


def test_past_puzzles_can_be_answered_and_show_their_verdicts(
    client: Client, player: Player
) -> None:
    past = a_puzzle(puzzles.today() - timedelta(days=1))
    text = client.get(f"/puzzle/{past.day}/").content.decode()
    assert "data-pick" in text
    client.post(f"/puzzle/{past.day}/", {"cards": ["TD", "KH"]})
    assert puzzles.streak(player=player) == 0
    (one,) = client.get("/puzzle/").context["archive"]
    assert one["past"].verdict == PuzzleAnswer.objects.get().verdict
    assert client.get(f"/puzzle/{puzzles.today()}/").status_code == 302
    assert client.get("/puzzle/2001-01-01/").status_code == 404
    assert client.get("/puzzle/2026-13-01/").status_code == 404


def test_days_without_visitors_get_a_puzzle_afterwards(client: Client) -> None:
    a_puzzle(puzzles.today() - timedelta(days=4))
    client.get("/puzzle/")
    assert Puzzle.objects.count() == 5


def test_a_guests_answers_move_to_their_account(player: Player) -> None:
    now = puzzles.today()
    days = [a_puzzle(now - timedelta(days=back)) for back in range(3)]
    account = Player.objects.create_user("hoyle", password="four aces and a king")
    puzzles.answer(puzzle=days[0], player=account, cards=parse_cards("AC2D"))
    for found in days:
        puzzles.answer(puzzle=found, player=player, cards=parse_cards("TDKH"))
    merge_guest(guest=player, account=account)
    thrown = dict(PuzzleAnswer.objects.filter(player=account).values_list("puzzle__day", "thrown"))
    assert thrown == {now: "AC 2D", **{day.day: "TD KH" for day in days[1:]}}


def test_cards_in_answers_are_stored_in_pack_order() -> None:
    found = a_puzzle(puzzles.today())
    row = puzzles.answer(puzzle=found, player=create_guest(), cards=parse_cards("KH TD"))
    assert row.thrown == "TD KH"
    assert card_names(parse_cards(row.thrown)) == "TDKH"
