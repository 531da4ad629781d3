"""Honest players and an adversary with throwaway guests, who meet in one pool."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from benchmarks.adversary.pools import DAY, Game, OldestFirst, Pool
from ratings.standard.trust import ESTABLISHED, GUEST, NEWCOMER, PLACEMENT, TableTrust

HONEST = {GUEST: 0.3, NEWCOMER: 0.1, ESTABLISHED: 0.6}
"""Level -> share of honest players' seats: an assumption, not a measurement."""
HOUSE = {20: 0.5, 200: 0.2, 2000: 0.05}
"""Honest games a day -> share of them against the house computer."""
GAMES_EACH = {GUEST: 3, NEWCOMER: PLACEMENT, ESTABLISHED: 60}
"""Level -> games of one honest identity, on average."""
GAME_MINUTES = 8.0
SCRIPT_MINUTES = 20 / 60
"""Minutes in which a script plays a game as a throwaway guest: twenty seconds."""
MAIN_EVERY = 60.0
"""Minutes between games of the adversary's main identity."""
THROWAWAYS = -1
"""Stands for all throwaways: each is new, so only what they know together matters."""


@dataclass(frozen=True)
class Case:
    """One simulation.

    Attributes:
        honest: honest games a day.
        pace: throwaway games a minute.
        main: the level of the adversary's main identity.
        seen: whether device or network show that main and throwaways may be one person.
        days: its length; the first third is not counted.
    """

    honest: int
    pace: float
    main: int
    seen: bool
    days: float


@dataclass
class Counts:
    """The results: rated games of the main identity, and the fields of closed games."""

    games: int = 0
    known: int = 0
    made_a_day: float = 0.0
    fields: list[int] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of the main identity's games whose cards they knew."""
        return self.known / self.games if self.games else 0.0


def simulate(case: Case, rng: Random, *, old: bool) -> Counts:
    """Play the games of honest players and of the adversary in order of time, and count."""
    pool = (OldestFirst if old else Pool)(rng)
    crowd, out = Crowd(rng), Counts()
    running: list[tuple[float, Game, bool]] = []
    known: set[int] = set()
    main, main_games = 10**9, 0
    counted = case.days * DAY / 3
    for now, who in _times(case, rng):
        _finish(pool, running, known, now)
        if who == "throwaway":
            game = pool.deal(now, (), known_ids(case, main), TableTrust(GUEST, GUEST))
            running.append((now + SCRIPT_MINUTES, game, True))
        elif who == "main":
            if case.main == NEWCOMER and main_games == PLACEMENT - 1:
                main, main_games = main + 1, 0
            main_games += 1
            same = (THROWAWAYS,) if case.seen else ()
            other, level = crowd.one()
            people = {main, other}
            if rng.random() < HOUSE[case.honest]:
                people, level = {main}, case.main
            table = TableTrust(min(level, case.main), max(level, case.main))
            game = pool.deal(now, people, same, table)
            running.append((now + GAME_MINUTES, game, False))
            if now >= counted:
                out.games += 1
                out.known += game.number in known
        else:
            people, table = crowd.table(HOUSE[case.honest])
            running.append((now + GAME_MINUTES, pool.deal(now, people, (), table), False))
    out.made_a_day, out.fields = pool.made / case.days, pool.fields
    return out


def known_ids(case: Case, main: int) -> tuple[int, ...]:
    """Return the identities that a throwaway is known to belong to.

    A throwaway is a new identity each time. If device or network link them, none is dealt a game
    that an earlier one was dealt: such games have `THROWAWAYS` in `dealt`.
    """
    return (THROWAWAYS, main) if case.seen else ()


def _finish(
    pool: Pool, running: list[tuple[float, Game, bool]], known: set[int], now: float
) -> None:
    over = [row for row in running if row[0] <= now]
    running[:] = [row for row in running if row[0] > now]
    for at, game, throwaway in over:
        pool.finish(at, game)
        if throwaway:
            known.add(game.number)
            game.dealt.add(THROWAWAYS)


def _times(case: Case, rng: Random) -> list[tuple[float, str]]:
    end = case.days * DAY
    rows: list[tuple[float, str]] = []
    gaps = {"honest": DAY / case.honest, "throwaway": 1 / case.pace if case.pace else 0.0}
    for name, gap in gaps.items():
        now = rng.expovariate(1 / gap) if gap else end
        while now < end:
            rows.append((now, name))
            now += rng.expovariate(1 / gap) if name == "honest" else gap
    rows += [(at * MAIN_EVERY, "main") for at in range(1, int(end / MAIN_EVERY))]
    return sorted(rows)


class Crowd:
    """Honest identities, each of which plays for a while and is then replaced."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._next = 0
        self._left: dict[int, Counter[int]] = {level: Counter() for level in HONEST}
        for level, share in HONEST.items():
            for _ in range(max(2, int(60 * share))):
                self._add(level)

    def one(self) -> tuple[int, int]:
        """Return an honest player and their level."""
        level = self._rng.choices(list(HONEST), list(HONEST.values()))[0]
        left = self._left[level]
        player = self._rng.choice(list(left))
        left[player] -= 1
        if left[player] <= 0:
            del left[player]
            self._add(level)
        return player, level

    def table(self, house: float) -> tuple[set[int], TableTrust]:
        """Return the people of a table, and its trust."""
        seats = [self.one()]
        if self._rng.random() >= house:
            seats.append(self.one())
        levels = [level for _, level in seats]
        return {player for player, _ in seats}, TableTrust(min(levels), max(levels))

    def _add(self, level: int) -> None:
        self._next += 1
        number = 1 + int(self._rng.expovariate(1 / GAMES_EACH[level]))
        self._left[level][self._next] = number
