"""A league of computer players of graded skill, who play standard games as people would."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from games.api import Player, View, bot, computer_of, computer_player, house
from ratings.models import Play
from ratings.services import catalogue, daily, rating
from ratings.services.playing import Plays, play_out
from ratings.services.recording import record

GIVEN = ("Agnes", "Bertie", "Clara", "Dora", "Edgar", "Flora", "George", "Hattie", "Ivor", "Jessie")
FAMILY = ("Ash", "Birch", "Cedar", "Elm", "Hazel", "Holly", "Larch", "Maple", "Oak", "Rowan")
NEAR = 12
"""How many places in the table two who meet are apart, one standard deviation."""


class Graded:
    """Plays like a tournament player, but for slips: then like a beginner.

    Args:
        slips: chance (0..1) of a slip at each decision.
        rng: where chance comes from.
    """

    def __init__(self, slips: float, rng: Random) -> None:
        self._slips = slips
        self._rng = rng
        self._good: Plays = bot("grace")
        self._weak: Plays = bot("poppy")

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the cards to lay away."""
        return self._now().discard(view)

    def play(self, view: View) -> int:
        """Return the card to play."""
        return self._now().play(view)

    def _now(self) -> Plays:
        return self._weak if self._rng.random() < self._slips else self._good


@dataclass(frozen=True, slots=True)
class Member:
    """One of the league: who, and how it plays."""

    player: Player
    plays: Plays


def members(*, number: int, rng: Random, also: Sequence[Player] = ()) -> list[Member]:
    """Return so many members from the best to the weakest, and ``also`` at the middle level."""
    found = []
    for place in range(number):
        name = f"{GIVEN[place % 10]} {FAMILY[place // 10 % 10]}"
        if place >= 100:
            name += f" {place // 100 + 1}"
        player = computer_player(bot=f"{catalogue.LEAGUE}-{place}", version="1", name=name)
        found.append(Member(player, Graded(place / number, rng)))
    middle = [Member(player, Graded(0.5, rng)) for player in also]
    half = len(found) // 2
    return [*found[:half], *middle, *found[half:]]


def table(league: Sequence[Member], seats: int, rng: Random) -> list[Member]:
    """Return who meets: neighbours more often than not, in any order."""
    first = rng.randrange(len(league))
    places = {first}
    while len(places) < seats:
        places.add(round(rng.gauss(first, NEAR)) % len(league))
    chosen = [league[place] for place in places]
    rng.shuffle(chosen)
    return chosen


def meet(*, sitting: Sequence[Member], at: datetime) -> Play:
    """Have these play the oldest game that is new to all of them, and store it; not rated yet."""
    players = [member.player for member in sitting]
    with transaction.atomic():
        catalogue.lock_pool()
        game = catalogue.lend(players=players, aside=False)
        play = catalogue.reserve(game=game, players=players, kind=Play.Kind.RANKED, match=None)
    catalogue.prepare(game=game)
    _play(play, sitting, at)
    return play


def play_daily(*, sitting: Sequence[Member], days_ago: int) -> int:
    """Have these play the daily game of an earlier day; return how many had not yet."""
    day = daily.today() - timedelta(days=days_ago)
    game = daily.game_of(day=day, aside=False)
    catalogue.prepare(game=game)
    machine = Member(computer_of(house().name), house())
    played = 0
    for member in sitting:
        if catalogue.has_met(game=game, player=member.player):
            continue
        seats = [member, machine] if game.daily_seat == 0 else [machine, member]
        players = [one.player for one in seats]
        play = catalogue.reserve(game=game, players=players, kind=Play.Kind.DAILY, match=None)
        _play(play, seats, timezone.now() - timedelta(days=days_ago))
        played += 1
    return played


def rate() -> None:
    """Push whatever has not been rated."""
    for seats in (2, 3):
        rating.push(seats=seats)


def _play(play: Play, sitting: Sequence[Member], at: datetime) -> None:
    """Play the game that these were dealt, then store it."""
    game = play.standard_game
    out = play_out([member.plays for member in sitting], game.decks.packs)
    with transaction.atomic():
        record(play=play, out=out, at=at)
        catalogue.played_once_more(game=game)
