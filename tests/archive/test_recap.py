"""The recap of a game: its story, chances, sums, and what may be shown of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.test import Client

from games.archive import measuring, selectors
from games.archive.recap import GameRecap, Item, ItemSum, Turn, recap_of
from games.archive.selectors import HandLine
from games.engine.state import Ruleset
from games.models import Hand, HandSeat, Match, Player, Seat
from games.pages.archive.recap_story import card_luck, story
from games.pages.archive.win_chart import win_chart
from games.tables.tables import create_match, join_match
from tests.support.standard_tables import people, play_on


def played(players: list[Player], **rules: object) -> Match:
    match = create_match(creator=players[0], ruleset=Ruleset(players=len(players), **rules))  # type: ignore[arg-type]
    for player in players[1:]:
        join_match(player=player, invite=match.invite)
    play_on(match)
    match.refresh_from_db()
    return match


def recap(match: Match, player: Player) -> GameRecap:
    detail = selectors.match_detail(public_id=match.public_id, viewer=player)
    assert detail is not None
    found = recap_of(detail)
    assert found is not None
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("seats", [2, 3])
def test_the_recap_of_a_game_adds_up(seats: int) -> None:
    players = people(seats)
    match = played(players)
    first = recap(match, players[0])
    assert all(each.worth is None for each in first.sums)
    assert first.luck is None
    assert measuring.measure(match=match.pk)
    recaps = [recap(match, player) for player in players]
    assert [each.won for each in recaps] == [seat == match.winner for seat in range(seats)]
    for at in range(len(recaps[0].chances)):
        assert sum(each.chances[at] for each in recaps) == pytest.approx(1.0)
    assert sum(each.turn is not None and each.turn.lead > 0 for each in recaps) <= 1
    for seat, each in enumerate(recaps):
        score = match.seats.get(seat=seat).score or 0
        made = sum(part.made for part in each.sums)
        assert made == score or (each.won and made >= score)
        assert each.luck is not None
        assert each.made is not None
        assert each.swing is not None
        assert each.swing.shown


@pytest.mark.django_db
@pytest.mark.usefixtures("fixed_cards")
@pytest.mark.parametrize("scores", [(118, 120), (120, 118), (120, 60), (60, 120)])
def test_a_game_that_starts_with_points_starts_with_a_lead(scores: tuple[int, int]) -> None:
    """It ends in its first hand, whoever wins it."""
    players = people(2)
    match = played(players, scores=scores)
    assert match.winner is not None
    found = recap(match, players[match.winner])
    assert len(found.chances) == 2
    behind = max(0, scores[1 - match.winner] - scores[match.winner])
    assert (found.deficit, found.turn is not None) == (behind, behind > 0)


@pytest.mark.django_db
def test_the_recap_is_for_the_players_of_a_finished_match() -> None:
    ann, bob, eve = people(3)
    match = played([ann, bob])
    address = f"/matches/{match.public_id}/recap/"
    for player, status in ((ann, 200), (bob, 200), (eve, 404)):
        client = Client()
        client.force_login(player)
        answer = client.get(address)
        assert answer.status_code == status
        assert ("data-pending" in answer.content.decode()) == (status == 200)
    measuring.measure(match=match.pk)
    client.force_login(ann)
    assert "data-pending" not in client.get(address).content.decode()
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.PLAYING, winner=None, finished_at=None
    )
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(("points", "told"), [(7, ("", 0)), (8, ("hand", 8))])
def test_an_item_of_eight_points_is_worth_telling(points: int, told: tuple[str, int]) -> None:
    """The reader is behind after the first of two hands, and wins in the second."""
    scores = [(0, 0), (10, 20), (121, 20)]
    lines = tuple(
        HandLine(
            hand=Hand(game=0, number=number, dealer=number),
            seats=tuple(
                HandSeat(
                    score_before=before[seat],
                    score_after=after[seat],
                    hand_points=points,
                    muggins=2 + seat,
                )
                for seat in range(2)
            ),
            cards_shown=True,
            items_shown=True,
        )
        for number, (before, after) in enumerate(pairwise(scores))
    )
    detail = selectors.MatchDetail(
        match=Match(status=Match.Status.FINISHED),
        seats=(Seat(), Seat()),
        own_seat=0,
        ruleset=Ruleset(counting="manual", muggins=True),
        games=(lines,),
        can_replay=True,
        hands_shown=len(lines),
    )
    found = recap_of(detail)
    assert found is not None
    assert found.turn == Turn(2, *told, lead=-10)  # type: ignore[arg-type]
    assert found.muggins == 4


def game(*, won: bool, turn: Turn | None, deficit: int = 0, played_out: bool = True) -> GameRecap:
    return GameRecap(
        game=1,
        won=won,
        played_out=played_out,
        chances=(0.5, 1.0),
        turn=turn,
        deficit=deficit,
        swing=None,
        sums=(),
        muggins=None,
        luck=None,
        best=None,
    )


@pytest.mark.parametrize(
    ("recap", "told"),
    [
        (game(won=True, turn=None), "You led from first hand to last."),
        (game(won=False, turn=None), "Bob led from first hand to last."),
        (
            game(won=False, turn=Turn(6, "crib", 16, lead=5)),
            "You led until hand 6; a crib of 16 points turned it.",
        ),
        (
            game(won=False, turn=Turn(6, "crib", 16, lead=0)),
            "You were level before hand 6; then Bob pulled ahead.",
        ),
        (
            game(won=False, turn=Turn(6, "crib", 16, lead=-4)),
            "Bob took the lead for good in hand 6.",
        ),
        (
            game(won=True, turn=Turn(4, "hand", 12, lead=-6), deficit=6),
            "A hand of 12 points put you ahead for good (hand 4).",
        ),
        (
            game(won=True, turn=Turn(9, "", 0, lead=-3), deficit=23),
            "You came back from 23 points behind and led from hand 9.",
        ),
        (game(won=True, turn=None, played_out=False), ""),
    ],
)
def test_the_story_of_a_game(recap: GameRecap, told: str) -> None:
    assert story(recap, winner="Bob") == told


@pytest.mark.parametrize("item", ["hand", "crib"])
@pytest.mark.parametrize("won", [True, False])
def test_the_story_of_eight_points_is_in_good_english(item: Item, won: bool) -> None:
    told = story(game(won=won, turn=Turn(4, item, 8, lead=5)), winner="Bob")
    assert "8" in told and "a 8" not in told.lower()


BROUGHT = "With your play and the starters, they brought"


@pytest.mark.parametrize(
    ("luck", "worth", "cards", "brought"),
    [
        (4.6, 50.2, "5 points better than average", "what such cards usually do"),
        (-1.2, 69.0, "1 point worse than average", "19 points less than such cards usually do"),
        (0.3, 49.0, "average", "1 point more than such cards usually do"),
    ],
)
def test_the_luck_of_the_cards_is_told_in_words(
    luck: float, worth: float, cards: str, brought: str
) -> None:
    found = replace(game(won=True, turn=None), luck=luck, sums=(ItemSum("hand", 50, worth),))
    assert card_luck(found) == f"Your cards were {cards}. {BROUGHT} {brought}."


def test_what_the_cards_brought_is_the_difference_of_the_numbers_shown() -> None:
    sums = (ItemSum("pegging", 24, 30.7), ItemSum("hand", 38, 69.8), ItemSum("crib", 18, 21.8))
    found = replace(game(won=False, turn=None), luck=5.2, sums=sums)
    assert f"{BROUGHT} 43 points less" in card_luck(found), "80 minus 31, 70 and 22"


def test_nothing_is_told_of_cards_that_are_not_measured() -> None:
    assert card_luck(game(won=True, turn=None)) == ""


def test_the_line_of_chances_marks_the_biggest_swing() -> None:
    chart = ElementTree.fromstring(win_chart((0.5, 0.75, 0.25, 1.0), swing=2, says="Up and down"))
    (line,) = chart.iter("polyline")
    assert line.attrib["points"].split() == ["0,500", "333.3,250", "666.7,750", "1000,0"]
    dots = [(dot.attrib["cx"], dot.attrib["cy"]) for dot in chart.iter("circle")]
    assert dots == [("33.33%", "25%"), ("66.67%", "75%")]
    assert chart.attrib["aria-label"] == "Up and down"
