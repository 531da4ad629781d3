"""The heat strip of the traveller: levels, and no hand that its reader may not compare."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client

from games.api import signed
from ratings.models import Attempt, Play, StandardGame
from ratings.pages.heat import HeatCell, heat_rows, level_of
from ratings.rating.results import collect
from ratings.standard import access, catalogue
from ratings.standard.traveller import traveller
from tests.support.people import as_
from tests.support.standard_tables import people, play_on, ranked_match, result, text

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday", "same_cards")]


def game_of(match: Any) -> StandardGame:
    return StandardGame.objects.get(pk=Play.objects.get(match=match).standard_game_id)


@pytest.mark.parametrize(
    ("beyond", "level"), [(-5.0, -2), (-4.9, -1), (-0.9, 0), (0.9, 0), (1.0, 1), (12.0, 2)]
)
def test_a_hand_is_coloured_by_its_distance_from_the_average(beyond: float, level: int) -> None:
    assert level_of(beyond) == level


def test_the_strip_has_a_box_for_each_hand_of_each_player() -> None:
    ann, bob = people(2)
    match = ranked_match([ann, bob])
    reader = access.reader_of(number=game_of(match).pk, player=ann)
    assert reader is not None
    sheet = traveller(reader=reader)
    rows = heat_rows(sheet)
    assert [row.line for row in rows] == list(sheet.lines)
    for row in rows:
        played = len(row.line.attempt.hands)
        assert [cell is not None for cell in row.cells] == [
            number < played and hand.compared.others > 0 for number, hand in enumerate(sheet.hands)
        ]
    page = text(as_(ann), f"/standard/{game_of(match).pk}/")
    strip = page.split('<table class="heat"')[1].split("</table>")[0]
    assert strip.count("<tr") == len(sheet.lines) + 1
    assert len(re.findall('<td class="heat-(?!total|none)', strip)) == sum(
        cell is not None for row in rows for cell in row.cells
    )


def test_a_box_says_what_the_result_page_says_of_the_same_hand() -> None:
    pairs = [people(2), people(2, start=2), people(2, start=4)]
    game = game_of(ranked_match(pairs[0]))
    for pair, levels in zip(pairs[1:], (("nora", "alfie"), ("alfie", "alfie")), strict=True):
        match = catalogue.start_match(game=game, players=pair, kind=Play.Kind.RANKED)
        play_on(match, levels)
        collect(match=match.pk)
    reader = access.reader_of(number=game.pk, player=pairs[0][0])
    assert reader is not None
    sheet = traveller(reader=reader)
    own = next(row for row in heat_rows(sheet) if row.line.own)
    compared = [hand.compared for hand in sheet.hands if hand.compared.others]
    assert any(abs(hand.beyond or 0.0) >= 1.0 for hand in compared)
    for hand in compared:
        cell = own.cells[hand.number - 1]
        assert cell is not None
        assert cell.beyond == signed(hand.beyond or 0.0, 0)


def test_a_hand_that_was_not_played_has_a_box_without_a_colour() -> None:
    ann, bob = people(2)
    reader = access.reader_of(number=game_of(ranked_match([ann, bob])).pk, player=ann)
    assert reader is not None
    sheet = traveller(reader=reader)
    row = replace(heat_rows(sheet)[0], cells=(None,))
    strip = render_to_string("ratings/standard/_heat.html", {"sheet": sheet, "heat": [row]})
    assert '<td class="heat-none">–</td>' in strip


def test_a_hand_that_no_one_else_had_is_compared_with_nothing() -> None:
    ann, bob = people(2)
    match = ranked_match([ann, bob])
    game = game_of(match)
    for attempt in Attempt.objects.filter(standard_game=game).exclude(player=ann):
        attempt.hands = attempt.hands[:2]
        attempt.save()
    reader = access.reader_of(number=game.pk, player=ann)
    assert reader is not None
    assert all(cells.cells[2] is None for cells in heat_rows(traveller(reader=reader)))
    page = text(as_(ann), f"/standard/{game.pk}/")
    assert "No one else had this hand" in page
    assert "0 of 0" not in page
    page = text(as_(ann), result(match))
    assert "Hand 2: no one else had it" not in page
    assert "Hand 3: no one else had it" in page
    assert "0 of 0" not in page


def test_the_strip_ends_with_the_hands_that_the_reader_has_reached() -> None:
    ann, bob = people(2)
    match = ranked_match([ann, bob])
    game = game_of(match)
    own = Attempt.objects.get(player=ann, standard_game=game)
    reader = access.reader_of(number=game.pk, player=ann)
    assert reader is not None
    assert any(len(other.hands) >= 2 for other in Attempt.objects.exclude(pk=own.pk))
    rows = heat_rows(traveller(reader=replace(reader, hands=1)))
    assert all(len(row.cells) == 1 for row in rows)


def test_a_box_without_a_hand_has_its_own_class() -> None:
    row = {"line": {"attempt": {}, "margin": 1.0}, "cells": [None, HeatCell(-2, "-6")]}
    page = render_to_string("ratings/standard/_heat.html", {"heat": [row]})
    assert re.findall(r'<td class="(heat-(?!total)[^"]*)"', page) == ["heat-none", "heat--2"]


def test_a_stranger_sees_no_strip() -> None:
    match = ranked_match(people(2))
    path = f"/standard/{game_of(match).pk}/"
    assert Client().get(path).status_code == 404
    assert as_(people(1, start=5)[0]).get(path).status_code == 404
