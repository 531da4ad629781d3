"""Pages tell results on one scale: place and others beaten; the rest is under Details."""

from __future__ import annotations

import re

import pytest
from django.template import Context, Template
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.models import Match, Player
from ratings.models import Attempt, Play, StandardGame
from ratings.rating.results import collect
from ratings.standard import catalogue, challenge, daily, field
from ratings.standard.access import reader_of
from ratings.standard.daily_standings import leaders
from ratings.standard.field import beaten_by, compare_margin, margin_of
from ratings.standard.traveller import traveller
from tests.support.people import as_
from tests.support.standard_tables import people, play_on

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("midday", "fixed_cards"),
]

PICTURES = 5


def ranked(players: list[Player], levels: tuple[str, str] = ("nora", "alfie")) -> StandardGame:
    game = catalogue.choose_game(players=players)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match, levels)
    collect(match=match.pk)
    return game


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode().split("<main")[1]


def without_details(text: str) -> str:
    return re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)


def test_technical_numbers_stand_only_under_details() -> None:
    ann, bob, cat, dan = people(4)
    game = ranked([ann, bob])
    assert ranked([cat, dan], ("poppy", "grace")) == game
    attempt = Attempt.objects.get(player=ann)
    assert attempt.play.match is not None
    for path in (
        f"/standard/{game.pk}/",
        f"/standard/{game.pk}/result/{attempt.play.match.public_id}/",
        "/ratings/",
        "/ratings/me/",
        f"/players/{ann.public_id}/",
    ):
        whole = page(as_(ann), path)
        shown = without_details(whole)
        words = strip_tags(shown)  # attributes have random tokens
        for word in ("atchpoints", "RD", "Better than", "tandard score", "±"):
            assert word not in words, (path, word)
        assert "/ranked/how/#" in shown, f"{path} explains none of its numbers"
    assert "RD" in page(as_(ann), "/ratings/")
    assert game.commitment in page(as_(ann), f"/standard/{game.pk}/")
    assert game.commitment not in without_details(page(as_(ann), f"/standard/{game.pk}/"))


def test_others_beaten_on_the_profile_are_those_of_the_fields() -> None:
    players = people(6)
    for start in (0, 2, 4):
        ranked(players[start : start + 2], (("nora", "alfie"), ("poppy", "grace"))[start % 4 // 2])
    for player in players:
        own = Attempt.objects.get(player=player)
        others = Attempt.objects.filter(seat=own.seat).exclude(pk=own.pk)
        verdict = compare_margin(margin_of(own), [margin_of(other) for other in others])
        found = beaten_by(player=player, seats=2)
        assert (found.games, found.others, found.beaten) == (1, 2, verdict.beaten)
        shown = page(as_(player), "/ratings/me/")
        assert f"beat {verdict.beaten} of 2 others" in shown
        assert "With new cards: better than about " in shown


def test_equal_margins_share_a_place_in_the_list_of_the_day() -> None:
    players = people(3)
    for player in players:
        match = daily.begin(player=player)
        play_on(match)
        collect(match=match.pk)
    for margin, player in zip((5, 5, 2), players, strict=True):
        Attempt.objects.filter(player=player).update(counted=margin)
    places = [place for place, _ in leaders(game=daily.game_of(day=daily.today()))]
    assert places == [1, 1, 3]


def test_a_field_larger_than_the_comparison_by_hand_has_the_same_places_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(field, "MAX_ATTEMPTS", 2)
    game = daily.game_of(day=daily.today(), in_background=False)
    best, reader, *others = people(4)
    for player, margin in zip((best, reader, *others), (30, 10, 5, 1), strict=True):
        play = Play.objects.get(match=daily.begin(player=player))
        Play.objects.filter(pk=play.pk).update(finished_at=timezone.now())
        Attempt.objects.filter(play=play, player=player).update(margin=margin, counted=margin)
    match = Match.objects.get(standard_play__attempts__player=reader)
    client = as_(reader)
    assert "2nd of 4" in page(client, "/")
    for path in (
        "/daily/",
        f"/standard/{game.pk}/",
        f"/standard/{game.pk}/result/{match.public_id}/",
    ):
        assert "2nd of 4 with these cards: you beat 2 of 3 others." in page(client, path), path
    listed = [(place, one.player) for place, one in leaders(game=game)]
    assert listed == [(1, best), (2, reader), (3, others[0]), (4, others[1])]
    seen = reader_of(number=game.pk, player=reader)
    assert seen is not None
    sheet = traveller(reader=seen)
    own = next(line for line in sheet.lines if line.own)
    assert own.verdict is not None and own.verdict.place == 2
    assert sheet.number == 4


def test_daily_games_and_challenges_are_called_what_they_are() -> None:
    ann = people(1)[0]
    matches = [daily.begin(player=ann)]
    matches.append(challenge.begin(player=ann, invite=challenge.make().invite))
    for match in matches:
        play_on(match)
        collect(match=match.pk)
    shown = page(as_(ann), "/matches/").split("history-row", 1)[1]
    assert '<span class="tag">daily game</span>' in shown
    assert '<span class="tag">challenge</span>' in shown
    assert '<span class="tag">ranked</span>' not in shown


def test_the_explanation_has_a_picture_for_each_number_that_links_to_it() -> None:
    explained = page(Client(), "/ranked/how/")
    assert explained.count('role="img"') == PICTURES
    ann, bob = people(2)
    game = ranked([ann, bob])
    attempt = Attempt.objects.get(player=ann)
    assert attempt.play.match is not None
    result = f"/standard/{game.pk}/result/{attempt.play.match.public_id}/"
    for path in (result, f"/standard/{game.pk}/", "/ratings/", "/ratings/me/"):
        for part in re.findall(r'/ranked/how/#(\w+)"', page(as_(ann), path)):
            assert f'id="{part}"' in explained


def test_the_first_result_is_explained_and_later_ones_are_not() -> None:
    ann, bob = people(2)
    first = ranked([ann, bob])
    assert "New here?" in page(as_(ann), f"/standard/{first.pk}/")
    second = ranked([ann, bob])
    assert second != first
    assert "New here?" not in page(as_(ann), f"/standard/{second.pk}/")


@pytest.mark.parametrize("tag", ["cards", "chips"])
def test_cards_are_sorted_by_rank_wherever_they_are_shown(tag: str) -> None:
    def shown(names: str) -> str:
        return Template("{% load cribbage %}{% " + tag + " " + names + " %}").render(Context())

    assert shown('"KH 2S TD AD 2C"') == shown('"AD 2C 2S TD KH"')
    assert shown('"KH 2S AD" as_played=True') != shown('"AD 2S KH"')
