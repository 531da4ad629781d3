"""Making of rated puzzles: decisions of simulated games that have one clear best answer.

Computers of several levels play whole games on seeded packs. A decision becomes a puzzle if the
analysis calls every other choice at least an inaccuracy, beyond its own doubt
(`games.analysis.uncertainty`), and if a theme names the idea. The result depends on the seed only.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.pool import Pool

from games.analysis import reasons
from games.analysis.arena import chance_move
from games.analysis.review import Option, judge, options
from games.analysis.review_verdicts import NEAR_END, SOUND
from games.bots import registry
from games.bots.player import Player
from games.engine import rules
from games.engine.cards import PACK, RANK, Card, card_names
from games.engine.moves import Discard, Move, Play
from games.engine.scoring import score_hand
from games.engine.state import Ruleset, State
from games.engine.view import View, view_for
from games.learn.puzzle_positions import view_of
from games.learn.puzzle_themes import Kind, Theme, theme_of

SHARES: dict[Kind, float] = {
    "throw": 0.44,
    "lead": 0.08,
    "answer": 0.28,
    "endgame": 0.13,
    "count": 0.07,
}
"""Share of each kind among all puzzles."""

PLAYERS = ("plain", "keen", "club", "expert")
"""The computers that play the games."""

SOLVERS = ("plain", "keen", "club", "expert")
"""The computers whose answers tell how hard a puzzle is."""

EASY: dict[Kind, float] = {"throw": 0.4, "answer": 0.2}
"""Share of the puzzles that all solvers solve which is kept; all of the kinds that are rarer."""

EASIEST, STEP = 1300, 160
"""The first rating of a puzzle that all solvers solve, and what each failure adds."""

BIG_LOSS = 0.05
"""A loss, in chance to win, that is easy to see."""
EASIER = 100
"""Rating points by which a puzzle starts lower if every mistake costs as much."""

BATCH = 32
"""Games that the processes play before their puzzles are collected."""

LEAST_COUNTED = 7
"""Minimum points of a hand to count."""


@dataclass(frozen=True, slots=True)
class Made:
    """A new puzzle: its kind, theme, first rating and position."""

    kind: Kind
    theme: Theme
    rating: int
    position: str


def make(number: int, *, seed: int, processes: int = 1) -> Iterator[Made]:
    """Yield different puzzles from ``number`` candidates, in their shares.

    A few candidates are dropped, because a third choice may be as good. The number of processes
    changes the time alone, since the games are taken in order.
    """
    wanted = Counter({kind: round(share * number) for kind, share in SHARES.items()})
    wanted["throw"] += number - wanted.total()
    seen: set[str] = set()
    with Pool(processes) as pool:
        for first in itertools.count(0, BATCH):
            open_kinds = frozenset(+wanted)
            games = [(seed, game, open_kinds) for game in range(first, first + BATCH)]
            found = []
            for made in itertools.chain.from_iterable(pool.imap(_of_game, games)):
                if wanted[made.kind] > 0 and made.position not in seen:
                    seen.add(made.position)
                    wanted[made.kind] -= 1
                    found.append(made)
            kept = pool.imap(has_one_answer, found)
            yield from (made for made, keeps in zip(found, kept, strict=True) if keeps)
            if not +wanted:
                return


def has_one_answer(made: Made) -> bool:
    """Whether the analysis is sure that every choice but the best is worse.

    For throws the runner-up has told already, since their doubt is the same for all choices.
    """
    if made.kind == "count":
        return True
    view = view_of(made.position)
    if view.legal.action == "discard":
        return True
    ranked = options(view)
    best = _ranks(ranked[0].cards)
    others = (one.cards for one in ranked[1:] if _ranks(one.cards) != best)
    return not any(judge(view, cards).verdict in SOUND for cards in others)


def is_clear(made: Made) -> bool:
    """Whether the analysis still finds one clear best answer; always for hands to count."""
    if made.kind == "count":
        return True
    view = view_of(made.position)
    return _clear(view, options(view)) is not None and has_one_answer(made)


def check(made: list[Made], *, processes: int = 1) -> Iterator[Made]:
    """Yield the puzzles of a list that are still clear, in its order."""
    with Pool(processes) as pool:
        clear = pool.imap(is_clear, made, chunksize=BATCH)
        yield from (one for one, keeps in zip(made, clear, strict=True) if keeps)


def _of_game(asked: tuple[int, int, frozenset[Kind]]) -> list[Made]:
    """Return the puzzles of some kinds from one simulated game, by the seed and its number."""
    seed, game, kinds = asked
    rng = random.Random(f"{seed}:{game}")
    players = [registry.get(rng.choice(PLAYERS)) for _seat in range(2)]
    state = rules.start(Ruleset(first_dealer=rng.randrange(2)))
    made: list[Made] = []
    scores, cards = state.scores, list(PACK)
    while not state.results:
        kind = rules.chance(state)
        if kind == "deal":
            scores, cards = state.scores, rng.sample(PACK, len(PACK))
        if kind is not None:
            state = rules.apply(state, chance_move(state, cards)).state
            if kind == "starter" and "count" in kinds and not state.results:
                made += _counted(state, rng)
            continue
        view = view_for(state, rules.waiting(state)[0])
        if _kind(view) in kinds:
            made += _decided(state, view, scores, rng)
        state = rules.apply(state, _move(players[view.seat or 0], view)).state
    return made


def _move(player: Player, view: View) -> Move:
    if view.legal.action == "discard":
        return Discard(view.seat or 0, player.discard(view))
    return Play(view.seat or 0, player.play(view))


def _kind(view: View) -> Kind:
    if view.ruleset.target - max(view.scores) <= NEAR_END:
        return "endgame"
    if view.legal.action == "discard":
        return "throw"
    return "answer" if view.pile else "lead"


def _decided(state: State, view: View, scores: tuple[int, ...], rng: random.Random) -> list[Made]:
    """Return a decision as a puzzle, if it is a good one; ``scores`` began the hand."""
    if len({RANK[card] for card in view.legal.cards}) == 1:
        return []
    ranked = options(view)
    wrong = _clear(view, ranked)
    if wrong is None:
        return []
    chosen = [_choice(registry.get(name), view) for name in SOLVERS]
    verdicts = [judge(view, cards) for cards in chosen]
    # The mistake of the strongest computer that makes one is the most tempting.
    missed = [item for item in verdicts if item.verdict not in SOUND]
    kind = _kind(view)
    if not missed and rng.random() >= EASY.get(kind, 1.0):
        return []
    why = missed[-1].reason if missed else reasons.reason(view, ranked[0], wrong)
    needs = view.ruleset.target - max(view.scores)
    theme = theme_of(why.kind if why else "", needs=needs)
    if theme is None:
        return []
    rating = EASIEST + STEP * len(missed)
    if ranked[0].chance - wrong.chance >= BIG_LOSS:
        rating -= EASIER
    return [Made(kind, theme, rating, _position(state, view, scores))]


def _clear(view: View, ranked: tuple[Option, ...]) -> Option | None:
    """Return the runner-up that differs from the best in rank, if it is clearly wrong."""
    best = _ranks(ranked[0].cards)
    others = [one for one in ranked[1:] if _ranks(one.cards) != best]
    if not others or judge(view, others[0].cards).verdict in SOUND:
        return None
    return others[0]


def _choice(player: Player, view: View) -> tuple[Card, ...]:
    if view.legal.action == "discard":
        return tuple(sorted(player.discard(view)))
    return (player.play(view),)


def _position(state: State, view: View, scores: tuple[int, ...]) -> str:
    """Return the text of a decision: see `games.learn.puzzle_positions`."""
    own = view.seat or 0
    first = f"{'d' if own == view.dealer else 'p'} {scores[own]}-{scores[1 - own]}"
    if view.legal.action == "discard":
        return f"{first} {card_names(tuple(sorted(view.cards)))}"
    words = []
    for seat in (own, 1 - own):
        seen = view_for(state, seat)
        words.append(card_names(tuple(sorted((*seen.cards, *seen.played[seat])))))
        words.append(card_names(tuple(sorted(seen.thrown))))
    starter = () if view.starter is None else (view.starter,)
    played = card_names([card for _seat, card in view.plays])
    return " ".join([first, *words, card_names(starter), played]).strip()


def _counted(state: State, rng: random.Random) -> list[Made]:
    """Return pone's hand, or now and then the crib, as a puzzle to count."""
    pone = view_for(state, 1 - (state.dealer or 0))
    dealer = view_for(state, state.dealer or 0)
    crib = rng.random() < 0.25
    cards = (*pone.thrown, *dealer.thrown) if crib else pone.cards
    if pone.starter is None:
        return []
    hand = tuple(sorted(cards))
    found = score_hand(hand, pone.starter, crib)
    if found.total < LEAST_COUNTED:
        return []
    rating = 1100 + 70 * len(found.parts)
    text = f"{'crib' if crib else 'hand'} {card_names(hand)} {card_names((pone.starter,))}"
    return [Made("count", "counting", rating, text)]


def _ranks(cards: Iterable[Card]) -> list[int]:
    return sorted(RANK[card] for card in cards)
