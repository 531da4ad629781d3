"""What a tournament's page says of players who get no game: away, banned, held up, or out."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.utils import timezone

from games.models import Player
from ratings.events import events, progress
from ratings.models import Event, EventEntrant, EventGame, EventTable
from tests.ratings.events.test_night_first import OPPONENT, own_page
from tests.ratings.events.test_seated_elsewhere import path
from tests.support.moderators import ban
from tests.support.people import as_
from tests.support.seated_elsewhere import ranked_match
from tests.support.standard_tables import text
from tests.support.tournaments import (
    again,
    begun,
    finish,
    planned,
    under_way,
    work,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event", "fixed_cards")]

UNWON = "The tournament is over, and no one won it."
DONE = "You have no more games in this tournament."
AWAY = "You'll get no game until you're back."
WAITS = "Your game in another tournament comes first, so your game here waits."


def test_a_bracket_whose_players_have_all_left_says_that_nobody_won() -> None:
    event, who = begun("knockout", 4)
    for player in who[1:]:
        events.leave(event=event, player=player)
    page = own_page(event, who[1])
    assert "Your table is ready." in page
    for match in under_way(event):
        finish(match)
    assert again(event).is_over
    assert {row.titled for row in EventEntrant.objects.filter(event=event)} == {False}
    page = own_page(event, who[1])
    assert UNWON in page
    assert "The tournament is over." not in page


def test_a_final_that_no_one_reached_is_no_bye() -> None:
    event, who = begun("knockout", 4)
    event.entrants.update(absent=True)
    for match in under_way(event):
        EventGame.objects.filter(play__match=match).update(
            ended_at=timezone.now(), gone=[0, 1], scores=[10, 20], winner=None
        )
    progress.advance(event=again(event))
    assert again(event).is_over
    page = own_page(event, who[1])
    assert "not played" in page
    assert not re.search(r">\s*bye\s*<", page)


def test_a_bracket_with_a_winner_does_not_say_that_nobody_won() -> None:
    event, who = begun("knockout", 2)
    finish(under_way(event)[0])
    page = own_page(event, who[1])
    assert UNWON not in page
    assert "The tournament is over." in page


def test_who_has_withdrawn_reads_that_they_get_no_game() -> None:
    event, who = planned("swiss", 4)
    events.begin(event=event, by=who[0])
    events.leave(event=event, player=who[1])
    assert AWAY in own_page(event, who[1])
    assert AWAY not in own_page(event, who[2])
    assert AWAY not in own_page(event, who[0]), "the organiser does not play"


def test_who_is_out_of_a_bracket_reads_that_no_game_follows() -> None:
    """Also after leaving their last game: being back would bring them no other."""
    event, who = begun("knockout", 4)
    left, lost = under_way(event)
    leaver = Player.objects.get(seats__match=left, seats__seat=0)
    loser = Player.objects.get(seats__match=lost, seats__seat=1)
    finish(left, 121, 90, left=0)
    finish(lost, 121, 90)
    for player in (leaver, loser):
        page = unescape(own_page(event, player))
        assert DONE in page
        assert AWAY not in page
    assert DONE not in own_page(event, who[0]), "the organiser does not play"


def test_the_last_games_of_an_arena_are_not_called_minutes() -> None:
    event, who = begun("arena", 3, minutes=10)
    (match,) = under_way(event)
    idle = next(one for one in who[1:] if not match.seats.filter(player=one).exists())
    assert "10 minutes left" in text(as_(who[0]), path(event, "board/"))
    assert DONE not in own_page(event, idle)
    Event.objects.filter(pk=event.pk).update(starts_at=timezone.now() - timedelta(minutes=11))
    page = unescape(own_page(event, idle))
    assert "Time's up. The last games are finishing." in page
    assert "minutes left" not in page
    assert DONE in page


def test_a_banned_player_is_shown_as_away_while_the_tournament_goes_on() -> None:
    event, who = begun("knockout", 2)
    ban(who[1])
    live = as_(who[2]).get(path(event, "live/")).content.decode()
    assert live.count(">away<") == 1
    finish(under_way(event)[0])
    assert again(event).is_over
    live = as_(who[2]).get(path(event, "live/")).content.decode()
    assert ">away<" not in live


def test_a_player_whom_another_tournament_awaits_longer_reads_so_and_finds_it() -> None:
    """Their opponent here reads that they wait; and so does their opponent there."""
    first, one = planned("knockout", 2)
    second, two = planned("knockout", 1, start=40)
    events.join(event=second, player=one[1], token=second.token)
    ranked_match(one[2], 60)  # whom the first tournament waits for
    events.begin(event=first, by=one[0])
    work()
    assert not under_way(first)
    events.begin(event=second, by=two[0])
    work()
    assert not under_way(second)
    page = own_page(second, one[1])
    assert WAITS in page
    assert path(first) in page
    assert OPPONENT not in page
    assert OPPONENT in own_page(second, two[1])
    assert OPPONENT in own_page(first, one[1])


def test_an_arena_seats_a_player_with_another_computer_if_one_is_free() -> None:
    """Also once the last one might be met again."""
    event, who = begun("arena", 1, computers=3)
    for _ in range(5):
        (match,) = under_way(event)
        row = EventTable.objects.filter(round__event=event, ended_at=None).get()
        met = {row.first_id, row.second_id}
        events.pause(event=event, by=who[0], paused=True)
        finish(match, 61, 40)
        events.pause(event=event, by=who[0], paused=False)
        progress.advance(event=again(event), now=timezone.now() + timedelta(seconds=30))
        row = EventTable.objects.filter(round__event=event, ended_at=None).get()
        assert {row.first_id, row.second_id} != met
