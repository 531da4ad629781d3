"""League of computer players of graded skill, for demo data. Like people, they play games once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from games.api import Player, View, bot, computer_of, computer_player, house
from ratings.models import Play
from ratings.rating import updates
from ratings.standard import catalogue, daily, identities
from ratings.standard.recording import store_simulated_game
from ratings.standard.simulation import ComputerPlayer, simulate

GIVEN = ("Agnes", "Bertie", "Clara", "Dora", "Edgar", "Flora", "George", "Hattie", "Ivor", "Jessie")
FAMILY = ("Ash", "Birch", "Cedar", "Elm", "Hazel", "Holly", "Larch", "Maple", "Oak", "Rowan")
SPREAD = 12
"""Standard deviation of the difference in rank between opponents."""


class MixedPlayer:
    """Computer player that decides like a strong bot, or with some probability like a weak one.

    Args:
        slips: probability (0..1) that the weak bot makes a decision.
        rng: source of randomness.
    """

    def __init__(self, slips: float, rng: Random) -> None:
        self._slips = slips
        self._rng = rng
        self._good: ComputerPlayer = bot("expert")
        self._weak: ComputerPlayer = bot("novice")

    def discard(self, view: View) -> tuple[int, ...]:
        """Return the cards to discard."""
        return self._bot().discard(view)

    def play(self, view: View) -> int:
        """Return the card to play."""
        return self._bot().play(view)

    def _bot(self) -> ComputerPlayer:
        return self._weak if self._rng.random() < self._slips else self._good


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the league, and the computer player that decides for them."""

    player: Player
    plays: ComputerPlayer


def members(*, number: int, rng: Random, also: Sequence[Player] = ()) -> list[Member]:
    """Return ``number`` members from strongest to weakest, with ``also`` in the middle."""
    found = []
    for place in range(number):
        name = f"{GIVEN[place % 10]} {FAMILY[place // 10 % 10]}"
        if place >= 100:
            name += f" {place // 100 + 1}"
        player = computer_player(bot=f"{identities.LEAGUE}-{place}", version="1", name=name)
        found.append(Member(player, MixedPlayer(place / number, rng)))
    middle = [Member(player, MixedPlayer(0.5, rng)) for player in also]
    half = len(found) // 2
    return [*found[:half], *middle, *found[half:]]


def draw_table(league: Sequence[Member], seats: int, rng: Random) -> list[Member]:
    """Return the members of one table, mostly of similar rank, in random order."""
    first = rng.randrange(len(league))
    places = {first}
    while len(places) < seats:
        places.add(round(rng.gauss(first, SPREAD)) % len(league))
    chosen = [league[place] for place in places]
    rng.shuffle(chosen)
    return chosen


def play_ranked(*, sitting: Sequence[Member], at: datetime) -> Play:
    """Play and store a ranked game at time ``at`` on a game new to all; does not rate it."""
    players = [member.player for member in sitting]
    with transaction.atomic():
        catalogue.lock_pool()
        game = catalogue.choose_game(players=players, in_background=False)
        play = catalogue.reserve(game=game, players=players, kind=Play.Kind.RANKED, match=None)
    catalogue.prepare(game=game)
    _play(play, sitting, at)
    return play


def play_daily(*, sitting: Sequence[Member], days_ago: int) -> int:
    """Play an earlier day's game for all members who have not played it; return how many did."""
    day = daily.today() - timedelta(days=days_ago)
    game = daily.game_of(day=day, in_background=False)
    catalogue.prepare(game=game)
    machine = Member(computer_of(house().name), house())
    played = 0
    for member in sitting:
        if catalogue.has_been_dealt(game=game, player=member.player):
            continue
        seats = [member, machine] if game.daily_seat == 0 else [machine, member]
        players = [one.player for one in seats]
        play = catalogue.reserve(game=game, players=players, kind=Play.Kind.DAILY, match=None)
        _play(play, seats, timezone.now() - timedelta(days=days_ago))
        played += 1
    return played


def rate_pending() -> None:
    """Rate all unrated plays."""
    for seats in (2, 3):
        updates.rate_pending(seats=seats)


def _play(play: Play, sitting: Sequence[Member], at: datetime) -> None:
    """Simulate the game of a reserved play and store it."""
    game = play.standard_game
    out = simulate([member.plays for member in sitting], game.decks.packs)
    with transaction.atomic():
        store_simulated_game(play=play, out=out, at=at)
        catalogue.count_play(game=game)
