"""Evidence of foul play about one player, for moderators; nothing ever follows from it by itself.

Each signal names the share of honest players that exceed its threshold (`make bench-fair`,
[moderation](../../docs/moderation.md)).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.api import Player, signed, thinking_times
from ratings.model.constants import THREE_SEATS
from ratings.models import Attempt, Play, Rating
from ratings.rating import seat_signals
from ratings.rating.agreement import agreement_of
from ratings.rating.cheat_signals import field_hands, newest_attempts, starter_z, throw_fits
from ratings.rating.pair_signals import pair_signals
from ratings.standard import identities
from ratings.standard.luck import z_score

MAX_TABLES = 60
"""Number of a player's newest games of three to examine."""
MAX_MATCHES = 10
"""Number of a player's newest ranked matches whose pace is examined."""
STARTER_ALARM = 4.0


@dataclass(frozen=True, slots=True)
class Signal:
    """One statistic about a player.

    Attributes:
        title: what was measured.
        value: the result in words.
        alarming: whether honest players rarely exceed it.
        honest: how rarely, in words.
    """

    title: str
    value: str
    alarming: bool
    honest: str


def evidence_about(*, player: Player) -> list[Signal]:
    """Return the signals about a player for which there are enough games, alarming ones first."""
    found = [
        *_starters(player),
        *_throws(player),
        *_agreement(player),
        *_pegging(player),
        *_one_opponent(player),
        *_three_seats(player),
        *_linked(player),
        *_pace(player),
    ]
    return sorted(found, key=lambda signal: not signal.alarming)


def _starters(player: Player) -> Iterator[Signal]:
    z = starter_z(player=player)
    if z:
        yield Signal(
            _("Luck with starters"),
            _("z %(z)s") % {"z": signed(z)},
            z > STARTER_ALARM,
            _("none of 2,000 honest players above 4"),
        )


def _throws(player: Player) -> Iterator[Signal]:
    """Yield whether a player's throws fit the opponents' cards, which they cannot see."""
    fits = throw_fits(player=player)
    if len(fits) >= seat_signals.LEAST_THROWS:
        z = seat_signals.throws_z(fits)
        yield Signal(
            _("Two seats: throws that fit the opponent's hidden cards"),
            _("%(n)d throws, z %(z)+.1f") % {"n": len(fits), "z": z},
            z > seat_signals.THROWS_ALARM,
            _("none of 10,000 simulated players above 4, however strong"),
        )


def _agreement(player: Player) -> Iterator[Signal]:
    """Yield whether a player finds the best cards when much is at stake, and only then."""
    found, missing = agreement_of(player=player)
    title = _("Two seats: best cards at high stakes")
    z = seat_signals.agreement_z(found)
    if missing:
        value = _("Games still to be examined: %(n)d. Reload the page later.") % {"n": missing}
        yield Signal(title, value, False, "")
    elif z is not None:
        expected = found.high * found.expected
        yield Signal(
            title,
            _("%(best)d of %(n)d, %(expected).1f expected from their other cards, z %(z)+.1f")
            % {"best": found.best, "n": found.high, "expected": expected, "z": z},
            z > seat_signals.AGREEMENT_ALARM,
            _("none of 1,410 simulated players above 3.6; near-perfect ones are above 0"),
        )


def _pegging(player: Player) -> Iterator[Signal]:
    """Yield how far a player pegs above others with the same cards: they may know hidden ones."""
    own = newest_attempts([player.pk])
    seats = {attempt.standard_game_id: attempt.seat for attempt in own}
    field: dict[tuple[int, int], list[float]] = defaultdict(list)
    for game, hands in field_hands(seats=seats, player=player):
        for number, hand in enumerate(hands):
            field[game, number].append(float(hand["pegged"]))
    mine, others = [], []
    for attempt in own:
        for number, hand in enumerate(attempt.hands):
            mine.append(float(hand["pegged"]))
            others.append(field[attempt.standard_game_id, number])
    if any(others):
        z = z_score(mine, others)
        yield Signal(
            _("Pegging with the same cards as others"),
            _("z %(z)s") % {"z": signed(z)},
            z > seat_signals.PEGGING_ALARM,
            _("depends on skill: compare with the rating"),
        )


def _one_opponent(player: Player) -> Iterator[Signal]:
    for signal in pair_signals(player=player)[:3]:
        name = _("all guests") if signal.other is None else signal.other.name
        yield Signal(
            _("Two seats: results against %(name)s") % {"name": name},
            _("%(n)d games, %(mean)s points per game, z %(z)s")
            % {"n": signal.games, "mean": signed(signal.mean), "z": signed(signal.z)},
            signal.alarming,
            _("1 in 1,000 honest pairs"),
        )


def _three_seats(player: Player) -> Iterator[Signal]:
    """Yield signs that points pass between two of three players, or that two play against one."""
    tables = _tables_of_three(player)
    skills = _skills({row.player_id for table in tables for row in table})
    passed: dict[int, list[float]] = defaultdict(list)
    joint: dict[int, list[float]] = defaultdict(list)
    names: dict[int, str] = {}
    for table in tables:
        own = next(row for row in table if row.player_id == player.pk)
        for other in table:
            if other is own or other.computer:
                continue
            third = next(row for row in table if row is not own and row is not other)
            mine, theirs, rest = (
                _points(row) - skills.get(row.player_id, 0.0) for row in (own, other, third)
            )
            passed[other.player_id].append(theirs - mine)
            joint[other.player_id].append((mine + theirs) / 2 - rest)
            names[other.player_id] = other.player.name
    rd2 = THREE_SEATS.tau2 / 4
    for title, rows, variance in (
        (
            _("Three seats: points passed to or from %(name)s"),
            passed,
            seat_signals.THREE_SEATS_PASSED,
        ),
        (_("Three seats: with %(name)s against the third"), joint, seat_signals.THREE_SEATS_JOINT),
    ):
        for key, points in rows.items():
            if len(points) >= seat_signals.LEAST_TOGETHER:
                z = seat_signals.table_z(points, variance, rd2)
                yield Signal(
                    title % {"name": names[key]},
                    _("%(n)d games, %(mean)s points per game, z %(z)s")
                    % {"n": len(points), "mean": signed(sum(points) / len(points)), "z": signed(z)},
                    abs(z) >= seat_signals.TABLE_ALARM,
                    _("fewer than 1 in 1,000 honest pairs"),
                )


def _points(row: Attempt) -> float:
    return float(row.score or 0)


def _skills(players: Collection[int]) -> dict[int, float]:
    """Return player -> points per game above the mean; a margin is 1.5 times that."""
    rows = Rating.objects.filter(seats=3, player__in=players).values_list("player_id", "skill")
    return {key: skill / 1.5 for key, skill in rows}


def _tables_of_three(player: Player) -> list[list[Attempt]]:
    """Return the attempts of a player's newest finished games of three, by table."""
    plays = (
        Play.objects.filter(
            attempts__player=player,
            attempts__computer=False,
            standard_game__seats=3,
            finished_at__isnull=False,
        )
        .exclude(attempts__ended__in=[Attempt.Ended.LEFT, Attempt.Ended.TIMED_OUT])
        .order_by("-pk")[:MAX_TABLES]
    )
    rows = Attempt.objects.filter(play__in=list(plays)).select_related("player")
    tables: dict[int, list[Attempt]] = defaultdict(list)
    for row in rows:
        tables[row.play_id].append(row)
    return [table for table in tables.values() if len(table) == 3]


def _linked(player: Player) -> Iterator[Signal]:
    """Yield the results among a player's linked accounts, which never count for ratings."""
    group = identities.with_linked([player])
    if len(group) == 1:
        return
    plays: dict[int, list[Attempt]] = defaultdict(list)
    rows = Attempt.objects.filter(
        player__in=group, computer=False, play__finished_at__isnull=False
    ).select_related("player")
    for row in rows:
        plays[row.play_id].append(row)
    together = [
        pair
        for table in plays.values()
        for pair in combinations(table, 2)
        if player.pk in {row.player_id for row in pair}
    ]
    if together:
        won = sum(any(row.won and row.player_id == player.pk for row in pair) for pair in together)
        yield Signal(
            _("Games against linked accounts"),
            _("%(n)d games, %(won)d won") % {"n": len(together), "won": won},
            False,
            _("they don't count for ratings"),
        )


def _pace(player: Player) -> Iterator[Signal]:
    matches = (
        Attempt.objects.filter(player=player, computer=False, play__match__isnull=False)
        .order_by("-pk")
        .values_list("play__match", flat=True)[:MAX_MATCHES]
    )
    seconds: Sequence[float] = thinking_times(matches=list(matches), player=player.pk)
    spread = seat_signals.pace_spread(seconds)
    if spread is not None:
        yield Signal(
            _("Pace of plays"),
            _("%(n)d plays, spread %(spread)s")
            % {"n": len(seconds), "spread": number_format(round(spread, 2), 2)},
            spread < seat_signals.STEADY,
            _("people are usually above 0.3, programs below 0.12"),
        )
