"""One deal of the experiment: what is said of each choice, and what another one gains."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibration import gains, styles, worlds
from benchmarks.calibration.choices import Choice, Loss
from games.analysis import discards, plays, tables, winning
from games.analysis.kernels.play import LIMIT
from games.analysis.opponents import Opponent, assumed, solving
from games.analysis.positions import PlayPosition
from games.engine.cards import PIPS, RANK

Array = NDArray[Any]

POOL = 20_000
"""Hands of each role in the pool."""
WORLDS, THROW_WORLDS, CUTS = 60, 150, 2
"""Maximum numbers of worlds of a card and of a throw; starters of a world of a throw."""
EXPERT_TO_THE_SCORE, LATE = 31, 120
"""Once a seat needs so few points the expert throws to the score, and pools are made anew."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Assumptions about opponents in the analysis that judges cards; those of reviews by default.

    `share` is how often they play rules of thumb, `doubt` how much of the belief goes to all
    possible hands alike (`games.analysis.plays`); if None, as reviews assume. The choices swapped
    in are this judge's.
    """

    share: float | None = None
    doubt: float | None = None

    def opponent(self, position: PlayPosition) -> Opponent:
        """Return what it assumes in a position."""
        found = assumed(position)
        if self.share is not None:
            found = replace(found, thumb=self.share, greed=0.0)
        return found if self.doubt is None else replace(found, doubt=self.doubt)


REVIEWS = Judge()
"""The judge of reviews."""


@dataclass(slots=True)
class Tables:
    """The kernels' tables, the pool of a style, and its judge."""

    style: int
    five: Array
    cribs: Array
    pool: Array
    masks: Array
    seeds: Array
    judge: Judge

    @classmethod
    def of(cls, style: int, seed: int, pool: int = POOL, judge: Judge = REVIEWS) -> Tables:
        """Return the tables with a fresh pool of so many hands for each role."""
        from games.analysis.kernels import show

        made = cls(
            style,
            show.five_table(),
            np.asarray(tables.load("crib_2"), dtype=np.float64),
            np.zeros((2, pool, 6), dtype=np.int64),
            np.zeros((2, pool), dtype=np.int64),
            np.zeros((2, pool), dtype=np.int64),
            judge,
        )
        for role in range(2):
            worlds.fill_pool(
                style,
                role,
                made.five,
                made.cribs,
                discards.throw_weights(),
                discards.peg_means(),
                np.array([seed * 2 + role], dtype=np.int64),
                made.pool[role],
                made.masks[role],
                made.seeds[role],
            )
        return made


@dataclass(slots=True)
class Line:
    """The play of a deal at one moment, by ranks; role 0 is pone."""

    hands: Array
    sizes: Array
    past: Array
    who: Array
    place: Array
    scores: Array
    winner: int = -1

    @property
    def turn(self) -> int:
        """The role to play; -1 at the end."""
        return -1 if self.winner >= 0 else int(self.place[3])

    @property
    def key(self) -> tuple[int, ...]:
        """The cards played."""
        return tuple(map(int, self.past[: self.place[1]]))

    @property
    def legal(self) -> list[int]:
        """The ranks that may be played."""
        hand, count = self.hands[self.turn], int(self.place[2])
        return [rank for rank in range(13) if hand[rank] and count + PIPS[4 * rank] <= LIMIT]

    def play(self, rank: int) -> None:
        """Play a card of the role whose turn it is."""
        self.winner = worlds.play_one(
            self.hands, self.sizes, self.past, self.who, self.place, self.scores, rank
        )


def split(cards: Array, number: int) -> Array:
    """Return six sorted cards by a throw: four kept, two thrown."""
    from games.analysis.kernels import discard

    out = np.zeros(6, dtype=np.int64)
    discard.split(cards, number, out[:4], out[4:])
    return out


@dataclass(slots=True)
class Deal:
    """One deal of a style: cards by role and what has been worked out of it."""

    tables: Tables
    cards: list[Array]
    starter: int
    scores: Array
    seeds: Array
    kept: list[Array] = field(default_factory=list)
    near_end: bool = False
    known: Array = field(default_factory=lambda: np.zeros((2, 13), dtype=np.int64))
    judged: dict[tuple[int, tuple[int, ...]], Choice] = field(default_factory=dict)
    late: dict[int, tuple[Array, Array, Array]] = field(default_factory=dict)

    def throw(self) -> None:
        """Let both roles throw, as the style does: `kept` is four cards, then two thrown."""
        close = max(self.scores) >= worlds.TARGET - EXPERT_TO_THE_SCORE
        self.near_end = close and self.tables.style == styles.EXPERT
        for role in range(2):
            cards = self.cards[role]
            number = self._to_the_score(role, cards)[0] if self.near_end else self._thrown(role)
            self.kept.append(split(cards, number))
            worlds.count_ranks(self.cards[role], self.starter, self.known[role])

    def _thrown(self, role: int) -> int:
        return int(
            styles.throw_of(
                self.tables.style,
                self.cards[role],
                role,
                self.seeds[role],
                self.tables.five,
                self.tables.cribs,
                discards.throw_weights(),
                discards.peg_means(),
            )
        )

    def _to_the_score(self, role: int, cards: Array) -> tuple[int, Array, Array]:
        """Return the strongest's throw of six cards, and each throw's chance and points."""
        valued = discards.value_throws(tuple(map(int, cards)), role == 1)
        own, other = int(self.scores[role]), int(self.scores[1 - role])
        chances = discards.chances(valued, own, other)
        return int(np.argmax(np.round(chances, 9))), chances, valued.totals

    def judge_throw(self, role: int, first: int, rng: Array) -> Choice:
        """Return what is said and seen of a role's throw."""
        cards = self.cards[role]
        best, chances, points = self._to_the_score(role, cards)
        own = next(n for n in range(15) if np.array_equal(split(cards, n), self.kept[role]))
        lost = float(chances[best] - chances[own])
        loss = Loss(best, float(points[best] - points[own]), lost, second=lost)
        choice = Choice("throws", 6, loss)
        if best != own:
            out = np.zeros(4)
            choice.worlds = gains.gain_of_throw(
                self.tables.style,
                role,
                split(cards, best),
                self.kept[role],
                self.kept[1 - role],
                self.starter,
                self.scores,
                self.seeds,
                self.tables.pool[1 - role],
                self.tables.masks[1 - role],
                self.tables.seeds[1 - role],
                first,
                0 if self.near_end else THROW_WORLDS,
                CUTS,
                rng,
                self.tables.five,
                winning.dealer_chances(),
                plays.strategy(),
                out,
            )
            choice.plain, choice.seen = (out[0], out[1]), (out[2], out[3])
        return choice

    def begin(self) -> Line:
        """Return the play before its first card, with heels scored."""
        hands = np.zeros((2, 13), dtype=np.int64)
        for role in range(2):
            worlds.count_ranks(self.kept[role][:4], -1, hands[role])
        scores = self.scores.copy()
        scores[1] += 2 if RANK[self.starter] == discards.JACK else 0
        return Line(
            hands,
            np.array([4, 4]),
            np.zeros(9, dtype=np.int64),
            np.zeros(9, dtype=np.int64),
            np.array([0, 0, 0, 0, -1]),
            scores,
            1 if scores[1] >= worlds.TARGET else -1,
        )

    def card(self, line: Line) -> int:
        """Return the style's card."""
        start, n, count, turn, passed = map(int, line.place)
        return int(
            styles.card_of(
                self.tables.style,
                line.hands,
                line.sizes,
                self.known,
                line.past,
                line.who,
                start,
                n,
                count,
                turn,
                passed,
                self.seeds[turn],
                plays.strategy(),
            )
        )

    def position(self, line: Line) -> PlayPosition:
        """Return what the role to play sees."""
        from games.analysis.kernels import show

        start, n, count, me, passed = map(int, line.place)
        unseen = 4 - self.known[me]
        for at in range(n):
            if line.who[at] != me:
                unseen[line.past[at]] -= 1
        return PlayPosition(
            me=me,
            hand=line.hands[me].copy(),
            past=line.past.copy(),
            who=line.who.copy(),
            start=start,
            number=n,
            count=count,
            passed=passed,
            unseen=unseen,
            theirs=int(line.sizes[1 - me]),
            scores=line.scores.copy(),
            show=show.count_cards(self.tables.five, self.kept[me][:4], self.starter, False),
            starter=RANK[self.starter],
            legal=np.array(line.legal, dtype=np.int64),
        )

    def pool_against(self, me: int) -> tuple[Array, Array, Array]:
        """Return the pool of hands that the other role may hold: cards, masks and seeds."""
        other, made = 1 - me, self.tables
        if not self.near_end:
            return made.pool[other], made.masks[other], made.seeds[other]
        if me not in self.late:
            mine = sum(1 << int(card) for card in (*self.cards[me], self.starter))
            first = int(self.seeds[me] % len(made.pool[other]))
            free = np.flatnonzero((np.roll(made.masks[other], -first) & mine) == 0)[:LATE]
            chosen = (free + first) % len(made.pool[other])
            hands = np.zeros((len(chosen), 6), dtype=np.int64)
            for at, cards in enumerate(np.sort(made.pool[other][chosen], axis=1)):
                hands[at] = split(cards, self._to_the_score(other, cards)[0])
            self.late[me] = hands, made.masks[other][chosen], made.seeds[other][chosen]
        return self.late[me]

    def judge_card(self, line: Line) -> Choice:
        """Return what is said and seen of the style's card, with more than one rank to play."""
        key = (line.turn, line.key)
        if key not in self.judged:
            self.judged[key] = self._judge_card(line)
        return self.judged[key]

    def _judge_card(self, line: Line) -> Choice:
        me, own, position = line.turn, self.card(line), self.position(line)
        legal = list(map(int, position.legal))
        at = legal.index(own)
        judge = self.tables.judge
        rated = plays.rate(position, plays.MOST_HANDS, judge.opponent(position))
        tidy = np.round(rated, 9)
        top = max(range(len(legal)), key=lambda one: (tidy[one, 1], tidy[one, 0], -one))
        lost = float(rated[top, 1] - rated[at, 1])
        loss = Loss(legal[top], float(rated[top, 0] - rated[at, 0]), lost)
        if lost > 0.0:
            by = plays.rate(position, plays.MOST_HANDS, solving(position))
            loss.second = float(by[:, 1].max() - by[at, 1])
        n = int(line.place[1])
        part = "leads" if line.place[0] == n else "answers"
        choice = Choice(part, int(line.sizes[me]), loss)
        if legal[top] != own:
            looks = len(self.pool_against(me)[0])
            first = int(self.seeds[me] % looks)
            choice.worlds, out = self.gain(line, legal[top], own, first, looks)
            choice.plain, choice.seen = (out[0], out[1]), (out[2], out[3])
        return choice

    def gain(self, line: Line, better: int, own: int, first: int, looks: int) -> tuple[int, Array]:
        """Return the number of worlds, and what one card gains over another.

        The gain is points and chance, in the real world and then averaged. At most ``looks`` hands
        of the pool are looked at, from number ``first``.
        """
        me = line.turn
        out = np.zeros(4)
        found = gains.gain_of_card(
            self.tables.style,
            me,
            self.kept[me],
            self.kept[1 - me],
            self.starter,
            line.past,
            line.who,
            line.place,
            better,
            own,
            line.scores,
            self.seeds,
            *self.pool_against(me),
            first,
            WORLDS,
            looks,
            self.tables.five,
            winning.dealer_chances(),
            plays.strategy(),
            out,
        )
        return found, out

    def follow(self, me: int, part: str) -> tuple[tuple[float, float], tuple[float, float], Line]:
        """Play the deal with one part of a role's cards by the strongest ("": none).

        Return what that gains in points and chance, in the real world and averaged, and the end.
        """
        line = self.begin()
        sums = np.zeros(4)
        while line.turn >= 0:
            rank = self.card(line)
            if part and line.turn == me and len(line.legal) > 1:
                of = "leads" if line.place[0] == line.place[1] else "answers"
                if part in (of, "cards"):
                    choice = self.judge_card(line)
                    sums += (*choice.plain, *choice.seen)
                    rank = choice.loss.best
            line.play(rank)
        return (sums[0], sums[1]), (sums[2], sums[3]), line

    def decisions(self, me: int) -> Iterator[Choice]:
        """Yield a role's choices of a card as the style plays the deal."""
        line = self.begin()
        while line.turn >= 0:
            if line.turn == me and len(line.legal) > 1:
                yield self.judge_card(line)
            line.play(self.card(line))
