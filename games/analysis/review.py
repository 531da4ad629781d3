"""Review of a match: a judgement of each decision by what the player could know.

A decision is valued from its seat's view only (`judge`). Its value with all cards known is reported
separately, as hindsight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from games.analysis import discards, plays, reasons, review_luck, three, three_exact, uncertainty
from games.analysis.discard_value import Role
from games.analysis.reasons import Reason
from games.analysis.review_hindsight import Hindsight, Upcoming, hindsight, upcoming_of
from games.analysis.review_verdicts import (
    NEAR_END,
    POINT,
    SOUND,
    Judgement,
    Part,
    Verdict,
    verdict,
)
from games.engine import rules
from games.engine.cards import RANK, Card, card_names, parse_cards
from games.engine.moves import Deal, Discard, Move, Play
from games.engine.state import Ruleset
from games.engine.view import View, view_for

VERSION = 10
"""Increased whenever the result may change; stored with each review."""

SHOWN = 5
"""Number of discards kept for one decision, including the one made."""

FULL = 121
DIGITS = 5
"""Decimal places stored."""

Action = Literal["discard", "play"]
Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """One choice: cards to discard, or a card to play.

    Attributes:
        cards: the cards; in the play one card stands for all of its rank.
        points: expected points, less the opponent's (with two opponents, less half of theirs); of
            the whole hand for a discard, of the rest of the play for a card.
        chance: chance to win the game.
        hand, crib, pegging: the parts of a discard's points; None for a card.
    """

    cards: Cards
    points: float
    chance: float
    hand: float | None = None
    crib: float | None = None
    pegging: float | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One judged decision.

    Attributes:
        sequence: the number of its entry in the log, from 0.
        game, hand: the numbers of its game and hand, from 1.
        seat: the seat that decided.
        action: "discard" or "play".
        part: the kind of decision.
        chosen: the cards discarded or played.
        options: the choices, best first; for a discard, only the best ones and the one made. Empty
            for a forced card.
        forced: whether there was only one choice.
        verdict, loss, points_lost, chance_lost: see `games.analysis.review_verdicts`.
        hindsight: the best choice with all cards known; None if it cannot be determined.
        reason: why the best choice is better; None if the choice was not wrong.
    """

    sequence: int
    game: int
    hand: int
    seat: int
    action: Action
    part: Part
    chosen: Cards
    options: tuple[Option, ...]
    forced: bool
    verdict: Verdict
    loss: float
    points_lost: float
    chance_lost: float
    hindsight: Hindsight | None = None
    reason: Reason | None = None

    @property
    def best(self) -> Option | None:
        """The best choice; None if there was only one."""
        return self.options[0] if self.options else None

    @property
    def judgement(self) -> Judgement:
        """The part of this item that a summary needs."""
        return Judgement(
            self.seat,
            self.part,
            self.verdict,
            self.forced,
            self.loss,
            self.points_lost,
            self.chance_lost,
        )

    def to_dict(self) -> Any:
        """Return the fields as plain values for JSON: cards as names, numbers to five digits."""
        data = asdict(self)
        data["chosen"] = card_names(self.chosen)
        for shown in (*data["options"], *([data["hindsight"]] if self.hindsight else [])):
            shown["cards"] = card_names(shown["cards"])
        data["reason"] = self.reason.to_dict() if self.reason else None
        return _rounded(data)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Item:
        """Return the item that `to_dict` wrote."""
        stored, why = data["hindsight"], data["reason"]
        return cls(
            **{
                **data,
                "chosen": parse_cards(data["chosen"]),
                "options": tuple(Option(**_with_cards(one)) for one in data["options"]),
                "hindsight": Hindsight(**_with_cards(stored)) if stored else None,
                "reason": Reason.from_dict(why) if why else None,
            }
        )


def _rounded(data: Any) -> Any:
    if isinstance(data, float):
        return round(data, DIGITS)
    if isinstance(data, dict):
        return {name: _rounded(value) for name, value in data.items()}
    return [_rounded(value) for value in data] if isinstance(data, list | tuple) else data


def _with_cards(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "cards": parse_cards(data["cards"])}


def decisions(moves: Iterable[Move]) -> int:
    """Return the number of items in the review of a log."""
    return sum(isinstance(move, Discard | Play) for move in moves)


def review(ruleset: Ruleset, moves: Sequence[Move]) -> Iterator[Item]:
    """Yield the judged discards and plays of a log, in order.

    Raises:
        IllegalMove: if the log cannot be replayed.
    """
    state = rules.start(ruleset)
    upcoming = Upcoming({}, None)
    for sequence, move in enumerate(moves):
        if isinstance(move, Deal):
            upcoming = upcoming_of(moves, sequence)
        elif isinstance(move, Discard | Play):
            item = judge(view_for(state, move.seat), _cards(move))
            found = None if item.forced else hindsight(state, move, upcoming)
            yield replace(item, sequence=sequence, hindsight=found)
        state = rules.apply(state, move).state


def judge(view: View, chosen: Cards) -> Item:
    """Return the judgement on discarding or playing ``chosen``, from the seat's view only.

    Raises:
        ValueError: if it is not the seat's turn to discard or play, or ``chosen`` is not legal.
    """
    seat = view.seat
    if seat is None or view.legal.action not in {"discard", "play"}:
        raise ValueError("only the seat that must discard or play can be judged")
    if not chosen or not set(chosen) <= set(view.legal.cards) or len(chosen) != view.legal.number:
        raise ValueError(f"{card_names(chosen)} cannot be chosen here")
    throws = view.legal.action == "discard"
    forced = not throws and len({RANK[card] for card in view.legal.cards}) == 1
    ranked = () if forced else options(view, chosen)
    own = next((one for one in ranked if set(one.cards) == set(chosen)), None)
    best = ranked[0] if ranked else None
    found: Verdict = "best"
    chance = points = lost = 0.0
    why = None
    if best and own:
        found, lost = _verdict(view, best, own)
    if best and own and lost:
        chance = max(0.0, best.chance - own.chance)
        points = best.points - own.points
        why = None if found in SOUND else reasons.reason(view, best, own)
    return Item(
        sequence=view.sequence,
        game=view.game,
        hand=view.hand,
        seat=seat,
        action="discard" if throws else "play",
        part=_part(view),
        chosen=tuple(chosen),
        options=_shown(ranked, own) if throws else ranked,
        forced=forced,
        verdict=found,
        loss=lost,
        points_lost=points,
        chance_lost=chance,
        reason=why,
    )


def _verdict(view: View, best: Option, own: Option) -> tuple[Verdict, float]:
    """Return the verdict on a choice and its loss, 0 if it is best.

    A close card with two seats keeps its loss, which one line of analysis expects. Other close
    choices lose nothing, since sampling alone may account for their loss.
    """
    if _by_chance(view):
        lost = max(0.0, best.chance - own.chance)
    else:
        lost = POINT * max(0.0, best.points - own.points)
    found = verdict(lost)
    if found == "best":
        return found, 0.0
    coarse = view.ruleset.players == 3
    if (coarse or found not in SOUND) and uncertainty.is_close(view, best.cards, own.cards, lost):
        sampled = coarse or view.legal.action == "discard"
        return "close", 0.0 if sampled else lost
    return found, lost


def options(view: View, chosen: Cards = ()) -> tuple[Option, ...]:
    """Return all choices of the seat that must discard or play, best first.

    In the play, cards of equal rank are one choice; ``chosen`` represents its rank.
    """
    if view.legal.action == "discard":
        found = _throws_of_three(view) if view.ruleset.players == 3 else _throws_of_two(view)
    else:
        found = _plays(view, chosen)
    by_chance = _by_chance(view)

    def worth(one: Option) -> tuple[float, float, Cards]:
        first, second = (one.chance, one.points) if by_chance else (one.points, one.chance)
        return -round(first, 9), -round(second, 9), one.cards

    return tuple(sorted(found, key=worth))


def _by_chance(view: View) -> bool:
    """Return whether choices are ranked by the chance to win rather than by points."""
    return view.ruleset.players == 2 or three_exact.is_by_chance(view)


def _shown(ranked: tuple[Option, ...], own: Option | None) -> tuple[Option, ...]:
    """Return the best discards, and the one that was made."""
    first = ranked[:SHOWN]
    return first if own is None or own in first else (*ranked[: SHOWN - 1], own)


def _part(view: View) -> Part:
    if view.ruleset.target - max(view.scores) <= NEAR_END:
        return "endgame"
    if view.legal.action == "discard":
        return "discard_dealer" if view.seat == view.dealer else "discard_pone"
    return "response" if view.pile else "lead"


def _throws_of_two(view: View) -> list[Option]:
    seat = view.seat or 0
    scores = (view.scores[seat], view.scores[1 - seat])
    role: Role = "dealer" if seat == view.dealer else "pone"
    target = view.ruleset.target
    return [
        Option(one.thrown, one.total, one.chance, one.hand, one.crib, one.pegging)
        for one in discards.evaluate_discards(view.cards, role, scores, target=target)
    ]


def _throws_of_three(view: View) -> list[Option]:
    cards = tuple(sorted(view.cards))
    role = three.role_of(view.seat or 0, view.dealer or 0)
    averages, _, chances = three_exact.value_throws(view)
    totals = three.totals(averages, role)
    return [
        Option(
            (card,),
            float(totals[at]),
            float(chances[at]),
            float(averages[at, 0]),
            float(averages[at, 1]),
            float(averages[at, 2] - 0.5 * averages[at, 3]),
        )
        for at, card in enumerate(cards)
    ]


def _plays(view: View, chosen: Cards) -> list[Option]:
    named = {RANK[card]: card for card in sorted(view.legal.cards, reverse=True)}
    named |= {RANK[card]: card for card in chosen}
    if view.ruleset.players == 3:
        ranks, rated = three_exact.rate(view)
        return [
            Option((named[rank],), float(points), float(chance))
            for rank, (points, chance) in zip(ranks, rated, strict=True)
        ]
    return [
        Option((named[rank],), value.points, value.chance)
        for rank, value in {RANK[value.card]: value for value in plays.evaluate_plays(view)}.items()
    ]


def _cards(move: Discard | Play) -> Cards:
    return (move.card,) if isinstance(move, Play) else tuple(sorted(move.cards))


def throw_view(cards: Cards, *, dealer: bool, scores: tuple[int, int]) -> View:
    """Return the view of a seat that must discard from six cards.

    ``scores`` are the seat's own and the opponent's.

    Raises:
        ValueError: if these are not six different cards, or the scores are invalid.
    """
    if len(set(cards)) != 6 or len(cards) != 6:
        raise ValueError(f"six different cards are needed, not {len(set(cards))}")
    if not all(0 <= score < FULL for score in scores):
        raise ValueError(f"scores must be from 0 to {FULL - 1}, not {scores}")
    rest = tuple(card for card in range(52) if card not in cards)
    state = replace(rules.start(Ruleset(first_dealer=0 if dealer else 1)), scores=scores)
    return view_for(rules.apply(state, Deal((cards, rest[:6]))).state, 0)


def preload(players: int) -> None:
    """Load the tables and kernels for reviews and analyses; takes a second or more on first use."""
    hands = tuple(tuple(range(seat, 40, 7))[: 8 - players] for seat in range(players))
    before = rules.start(Ruleset(players=players, first_dealer=0))
    state = rules.apply(before, Deal(hands, 50 if players == 3 else None)).state
    options(view_for(state, 1))
    review_luck.open_chances(state, before)
    if players == 2:
        discards.value_throws(hands[0], dealer=True, known=hands[1])
