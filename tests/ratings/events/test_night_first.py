"""Pages of tournaments say why a player's next game waits, and lead to what comes first."""

import pytest

from games.models import Player
from ratings.clubs import nights
from ratings.events import events
from ratings.models import ClubNight, Event, EventTable
from tests.ratings.events.test_seated_elsewhere import path
from tests.support.evenings import club_of, night_of
from tests.support.evenings import seated as sitting
from tests.support.people import as_
from tests.support.seated_elsewhere import over, ranked_match
from tests.support.standard_tables import text
from tests.support.tournaments import begun, planned, under_way, work

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_event", "fixed_cards")]

WAITS = "Your game at a club night comes first, so your game here waits."
FOLLOWS = "Your game at a club night comes first. Your next game here follows."
OPPONENT = "Your next game starts when your opponent is free."
HERE = "Your game here waits for you."


def night_for(player: Player, start: int = 40) -> ClubNight:
    """Begin a night of one game whose table waits for the player's opponent, who is busy."""
    club, members = club_of(1, start)
    night = night_of(club, members[0], games=1, entrants=[members[0], player])
    ranked_match(members[0], start + 20)
    nights.begin(night=night, by=members[0])
    work()
    return night


def own_page(event: Event, player: Player) -> str:
    """Return a tournament's page as a player reads it."""
    return text(as_(player), path(event))


def test_a_player_whose_night_comes_first_reads_so_and_finds_it() -> None:
    event, who = planned("knockout", 2)
    night = night_for(who[1])
    live = as_(who[1]).get(path(event, "live/"))
    events.begin(event=event, by=who[0])
    work()
    assert not under_way(event)
    page = own_page(event, who[1])
    assert WAITS in page
    assert f"/clubs/night/{night.token}/" in page
    assert OPPONENT not in page
    assert "If a club night has waited longer for you, its game comes first." in page
    changed = as_(who[1]).get(path(event, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200
    other = own_page(event, who[2])
    assert OPPONENT in other
    assert night.token not in other


def test_a_night_that_has_waited_less_does_not_come_first() -> None:
    event, who = planned("knockout", 2)
    ranked_match(who[1])
    events.begin(event=event, by=who[0])
    work()
    night = night_for(who[2])
    page = own_page(event, who[2])
    assert OPPONENT in page
    assert night.token not in page


def test_a_player_of_an_arena_reads_that_a_night_comes_first() -> None:
    event, _ = begun("arena", 4)
    match = under_way(event)[0]
    ann = sitting(match)[0]
    night = night_for(ann)
    over(match)
    page = own_page(event, ann)
    assert FOLLOWS in page
    assert f"/clubs/night/{night.token}/" in page
    assert "or a club night waits for you" in page


def test_who_begins_to_wait_for_a_night_is_told() -> None:
    event, who = begun("arena", 3)
    (match,) = under_way(event)
    (free,) = set(who[1:]) - set(sitting(match))
    live = as_(free).get(path(event, "live/"))
    night = night_for(free)
    changed = as_(free).get(path(event, "live/"), headers={"if-none-match": live["ETag"]})
    assert changed.status_code == 200
    assert night.token in changed.content.decode()


def test_a_player_with_a_bye_reads_of_no_game_that_waits() -> None:
    event, who = planned("robin", 3)
    for number, player in enumerate(who[1:], 70):
        ranked_match(player, number)
    events.begin(event=event, by=who[0])
    work()
    bye = EventTable.objects.get(round__event=event, second=None)
    assert bye.first is not None
    page = own_page(event, bye.first.player)
    assert HERE not in page
    assert "Finish that game for your next one here." in page
