"""Rated puzzles before anyone solves them: positions, themes, the shipped file, and making it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.analysis.review import options
from games.analysis.review_verdicts import SOUND
from games.engine.cards import NAMES, parse_cards
from games.learn import (
    puzzle_file,
    puzzle_loading,
    puzzle_making,
    puzzle_positions,
)
from games.learn.puzzle_themes import KINDS, REASONS, THEMES, theme_of
from games.learn.reviews import judge_answer
from games.models import RatedPuzzle
from tests.learn.test_rated_puzzles import COUNT, PLAY, THROW


def test_a_throw_is_asked_with_its_cards_and_scores() -> None:
    view = puzzle_positions.view_of(THROW)
    assert (view.seat, view.dealer, view.scores) == (0, 0, (45, 60))
    assert view.legal.action == "discard"
    assert set(view.cards) == set(parse_cards("4D5H6H7C8CJS"))


def test_a_play_is_asked_as_it_stood_after_the_cards_played() -> None:
    view = puzzle_positions.view_of(PLAY)
    assert (view.seat, view.dealer) == (0, 1)
    assert view.legal.action == "play"
    assert set(view.cards) == set(parse_cards("7STD"))
    assert [card for _seat, card in view.plays] == list(parse_cards("8H4S8S9C"))


def test_no_view_depends_on_the_opponents_hidden_cards() -> None:
    other = PLAY.replace("4S5C6S9C 2H3H", "4S5CQS9C KHKS")
    assert puzzle_positions.view_of(PLAY) == puzzle_positions.view_of(other)


def test_hands_and_cribs_are_counted_by_the_rules() -> None:
    assert puzzle_positions.breakdown(COUNT).total == 29
    flush = "2H4H6H8H KD"
    hand, crib = (puzzle_positions.breakdown(f"{kind} {flush}").total for kind in ("hand", "crib"))
    assert hand == crib + 4


def test_every_reason_belongs_to_one_theme_at_most_and_the_last_holes_go_first() -> None:
    kinds = [kind for kinds in REASONS.values() for kind in kinds]
    assert len(kinds) == len(set(kinds))
    assert theme_of("breaks_pair", needs=11) == "pairs"
    assert theme_of("breaks_pair", needs=10) == "last_ten"
    assert theme_of("play_on", needs=50) is None


MADE = 6
TWO_GOOD_LEADS = "p 0-0 KH9H2S8C ADAC 4S5C6S9C 2HJH 4D"


def test_the_same_seed_makes_the_same_puzzles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzle_making, "BATCH", 2)  # a batch is played to its end: two are enough
    made = list(puzzle_making.make(MADE, seed=5))
    assert len({one.position for one in made}) == MADE
    assert made == list(puzzle_making.make(MADE, seed=5, processes=2))
    for one in made:
        if one.kind == "count":
            continue
        view = puzzle_positions.view_of(one.position)
        assert view.legal.action in {"discard", "play"}
    path = tmp_path / "puzzles.xz"
    puzzle_file.write(made, path)
    assert sorted(puzzle_file.read(path), key=lambda one: one.position) == sorted(
        made, key=lambda one: one.position
    )


def test_the_shipped_file_is_small_and_every_line_of_it_can_be_asked() -> None:
    assert puzzle_file.PATH.stat().st_size < 300_000
    made = list(puzzle_file.read())
    assert len({one.position for one in made}) == len(made)
    assert {one.kind for one in made} == set(KINDS)
    assert {one.theme for one in made} == set(THEMES)
    for one in made[:: max(1, len(made) // 100)]:
        if one.kind == "count":
            assert puzzle_positions.breakdown(one.position).total >= puzzle_making.LEAST_COUNTED
        else:
            assert puzzle_positions.view_of(one.position).legal.action in {"discard", "play"}


def test_in_shipped_puzzles_only_one_choice_of_ranks_is_sound() -> None:
    asked = [one for one in puzzle_file.read() if one.kind != "count"]
    for one in asked[:: len(asked) // 15]:
        view = puzzle_positions.view_of(one.position)
        ranked = options(view)
        sound = {
            tuple(sorted(NAMES[card][0] for card in option.cards))
            for option in ranked
            if judge_answer(view=view, cards=option.cards).verdict in SOUND
        }
        assert len(sound) == 1, one


def test_a_check_drops_what_has_no_clear_answer_and_keeps_the_rest(tmp_path: Path) -> None:
    shipped = list(puzzle_file.read())
    clear = [next(one for one in shipped if one.kind == kind) for kind in ("count", "answer")]
    unclear = puzzle_making.Made("lead", "pairs", 1500, TWO_GOOD_LEADS)
    path = tmp_path / "puzzles.xz"
    puzzle_file.write([*clear, unclear], path)
    call_command("make_puzzles", "--check", "--path", str(path), stdout=io.StringIO())
    assert set(puzzle_file.read(path)) == set(clear)


def test_a_bad_line_of_the_file_is_quoted(tmp_path: Path) -> None:
    import lzma

    path = tmp_path / "bad.xz"
    path.write_bytes(lzma.compress(b"throw nonsense 1500 d 0-0 AH\n"))
    with pytest.raises(ValueError, match="throw nonsense"):
        list(puzzle_file.read(path))


@pytest.mark.django_db
def test_loading_twice_adds_nothing_and_keeps_the_ratings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "few.xz"
    puzzle_file.write([puzzle_making.Made("throw", "runs", 1400, THROW)], path)
    monkeypatch.setattr(puzzle_file.read, "__defaults__", (path,))
    puzzle_loading.load_puzzles.call()
    RatedPuzzle.objects.update(rating=1777)
    puzzle_loading.load_puzzles.call()
    assert list(RatedPuzzle.objects.values_list("position", "rating")) == [(THROW, 1777)]


@pytest.mark.parametrize("wrong", [["--number", "0"], ["--processes", "0"], ["--add"]])
def test_the_command_that_makes_them_leaves_the_file_alone_if_asked_wrongly(
    tmp_path: Path, wrong: list[str]
) -> None:
    path = tmp_path / "puzzles"
    if "--add" not in wrong:
        path.write_bytes(b"ten thousand puzzles")
    with pytest.raises(CommandError):
        call_command("make_puzzles", "--path", str(path), *wrong)
    assert path.exists() is ("--add" not in wrong)
    assert "--add" in wrong or path.read_bytes() == b"ten thousand puzzles"
