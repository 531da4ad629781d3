"""The charts of matches: where lines and dots lie, and what is said instead of the picture."""

from __future__ import annotations

import itertools
import re
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from games.engine.state import Ruleset
from games.pages.charts.drawing import Drawing, round_values, scaled
from games.pages.charts.race import score_race
from games.pages.charts.rows import dot_row, margin_bar, share_bar, sparkline

SMALL = 6000
"""Characters that the picture of a whole game may take."""


def parsed(picture: str) -> ElementTree.Element:
    """Return a picture as a tree, which it must be as SVG within HTML."""
    return ElementTree.fromstring(picture)


def points_of(line: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in line.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def test_places_are_shares_so_that_text_keeps_its_size() -> None:
    drawing = Drawing("sample")
    drawing.line([(0, 0), (0.5, 1), (1, 0.25)], "line-0")
    drawing.dot(0.5, 1, 4, "end")
    tree = parsed(drawing.picture("A sample"))
    assert "viewBox" not in tree.attrib, "a view box would shrink the text on phones"
    (line,) = tree.iter("polyline")
    assert points_of(line) == [(0, 0), (500, 1000), (1000, 250)]
    (dot,) = tree.iter("circle")
    assert (dot.attrib["cx"], dot.attrib["cy"], dot.attrib["r"]) == ("50%", "100%", "4")


def test_a_moment_on_an_axis_can_be_shown_in_the_readers_zone() -> None:
    drawing = Drawing("sample")
    late = datetime(2026, 11, 24, 2, 30, tzinfo=UTC)
    drawing.tick(0, "24 Nov 2026", at=late)
    drawing.tick(1, "plain")
    moment, plain = parsed(drawing.picture("A sample")).iter("text")
    assert datetime.fromisoformat(moment.attrib["data-at"]) == late
    assert "data-at" not in plain.attrib


def test_a_picture_has_a_text_alternative_or_is_hidden() -> None:
    said = parsed(Drawing("sample").picture('Ann\'s "best" <hand>'))
    assert (said.attrib["role"], said.attrib["aria-label"]) == ("img", 'Ann\'s "best" <hand>')
    assert parsed(Drawing("sample").picture("")).attrib["aria-hidden"] == "true"


@pytest.mark.parametrize(
    ("low", "high", "values"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (-0.3, 0.3, [-0.2, -0.1, 0, 0.1, 0.2]),
        (1480, 1890, [1500, 1600, 1700, 1800]),
    ],
)
def test_axes_are_labelled_with_round_numbers(low: float, high: float, values: list[float]) -> None:
    assert round_values(low, high) == pytest.approx(values)
    assert [scaled(value, 0, 10) for value in (-5, 5, 15)] == [0, 0.5, 1]


class TestScoreRace:
    def test_each_seat_has_a_line_from_nothing_to_its_last_score(self) -> None:
        picture = parsed(
            score_race([(20, 5), (61, 40), (121, 91)], names=["You", "Bob"], rules=Ruleset())
        )
        lines = {line.attrib["class"]: points_of(line) for line in picture.iter("polyline")}
        assert lines["line line-0"][0] == (0, 1000)
        assert lines["line line-0"][-1] == (1000, 0)
        assert lines["line line-1"][-1][1] == pytest.approx(1000 * (1 - 91 / 121), abs=0.1)
        assert picture.attrib["aria-label"] == ("The race to 121. At the end: You 121, Bob 91.")

    def test_a_match_from_a_position_begins_at_its_scores(self) -> None:
        picture = score_race(
            [(70, 65)], names=["You", "Bob"], rules=Ruleset(target=121), start=(62, 56)
        )
        lines = {line.attrib["class"]: points_of(line) for line in parsed(picture).iter("polyline")}
        for seat, score in enumerate((62, 56)):
            height = 1000 * (1 - score / 121)
            assert lines[f"line line-{seat}"][0] == pytest.approx((0, height), abs=0.1)

    @pytest.mark.parametrize(
        ("rules", "lines"),
        [
            (Ruleset(), {"skunk line": "start", "double skunk line": "end"}),
            (Ruleset(target=61), {"skunk line": "end"}),
            (Ruleset(skunks=False), {}),
        ],
    )
    def test_the_skunk_lines_are_those_of_the_rules_and_named_beside_the_race(
        self, rules: Ruleset, lines: dict[str, str]
    ) -> None:
        picture = score_race([(30, 20)], names=["You", "Bob"], rules=rules)
        found = re.findall(r'text-anchor="(\w+)">([a-z ]+ line)<', picture)
        assert {name: anchor for anchor, name in found} == lines

    def test_the_scores_at_the_end_never_overlap(self) -> None:
        rules = Ruleset(players=3)
        picture = parsed(score_race([(118, 121, 117)], names=["You", "Bob", "Ann"], rules=rules))
        heights = [
            float(text.attrib["y"].rstrip("%"))
            for text in picture.iter("text")
            if text.attrib["class"].startswith("score")
        ]
        heights.sort()
        assert all(below - above > 8 for above, below in itertools.pairwise(heights))

    def test_a_long_game_stays_small(self) -> None:
        scores = [(3 * hand, 4 * hand, 2 * hand) for hand in range(1, 30)]
        names = ["You", "Bob", "Ann"]
        assert len(score_race(scores, names=names, rules=Ruleset(players=3))) < 2 * SMALL


class TestRows:
    def test_a_margin_reaches_from_the_middle_to_its_side(self) -> None:
        for margin, left, right in ((24.0, 50, 75), (-24.0, 25, 50), (200.0, 50, 100)):
            (bar,) = parsed(margin_bar(margin)).iter("rect")
            start, width = (float(bar.attrib[name].rstrip("%")) for name in ("x", "width"))
            assert (start, start + width) == (left, right)
            assert bar.attrib["class"] == ("won" if margin > 0 else "lost")

    def test_a_share_fills_its_part_of_the_bar(self) -> None:
        whole, won = parsed(share_bar(0.58)).iter("rect")
        assert (whole.attrib["width"], won.attrib["width"]) == ("100%", "58%")

    def test_a_dot_lies_in_its_band_and_within_the_axis(self) -> None:
        row = parsed(dot_row(120.0, span=(0.0, 100.0), band=(40.0, 60.0), mark=45.0, zero=50.0))
        (dot,), (band,) = row.iter("circle"), row.iter("rect")
        assert dot.attrib["cx"] == "100%", "a value outside stands at the end of the axis"
        assert (band.attrib["x"], band.attrib["width"]) == ("40%", "20%")

    def test_a_trend_needs_two_values(self) -> None:
        assert sparkline([]) == sparkline([1500.0]) == ""
        (line,) = parsed(sparkline([1500.0, 1540.0, 1520.0])).iter("polyline")
        assert points_of(line) == [(0, 1000), (500, 0), (1000, 500)]
        (flat,) = parsed(sparkline([1500.0, 1500.0])).iter("polyline")
        assert points_of(flat) == [(0, 500), (1000, 500)]

    def test_rows_are_hidden_from_screen_readers_as_their_number_stands_beside(self) -> None:
        for row in (margin_bar(3.0), share_bar(0.5), dot_row(1.0, span=(0.0, 2.0))):
            assert parsed(row).attrib["aria-hidden"] == "true"
