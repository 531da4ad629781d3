"""Comparison of an attempt with the field: all attempts at the same seat of a standard game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.db.models import Exists, OuterRef, QuerySet

from games.api import HandSeat, Player
from ratings.model.comparison import matchpoints
from ratings.models import Attempt, StandardGame
from ratings.standard.access import hands_reached
from ratings.standard.consent import withheld_plays
from ratings.standard.exclusions import NOT_COMPARED

CLOSE = 1.0
"""Net points up to which a hand counts as having gone like the field's."""

MAX_ATTEMPTS = 400
"""Maximum number of attempts to compare hand by hand; a daily game may have more."""
GAMES_COUNTED = 50
"""Number of a player's newest games in which the others beaten are counted."""

Standing = Literal["better", "same", "worse"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an attempt compared with the field.

    Attributes:
        others: number of other attempts in that seat.
        beaten: number of them with a smaller margin.
        level: number of them with the same margin.
        points: matchpoints (0..100), shrunk towards 50 in a small field.
        margin: the margin that counts, points.
        mean: the mean margin of the others, points; None without others.
    """

    others: int
    beaten: int
    level: int
    points: float
    margin: float
    mean: float | None

    @property
    def ahead(self) -> int:
        """Number of other attempts with a larger margin."""
        return self.others - self.beaten - self.level

    @property
    def place(self) -> int:
        """Its place among all attempts in that seat, from 1; equal margins share a place."""
        return self.ahead + 1

    @property
    def all(self) -> int:
        """Number of attempts in that seat, this one included."""
        return self.others + 1


@dataclass(frozen=True, slots=True)
class Beaten:
    """The number of others that a player has beaten with the same cards, over some games."""

    games: int
    others: int
    beaten: int

    @property
    def share(self) -> float:
        """The share (0..100) of the others; 0 without others."""
        return 100.0 * self.beaten / self.others if self.others else 0.0


@dataclass(frozen=True, slots=True)
class DiscardChoice:
    """A way to discard from a hand: the cards, how many chose it, and their mean net points."""

    cards: str
    number: int
    net: float
    own: bool


@dataclass(frozen=True, slots=True)
class HandComparison:
    """A hand of an attempt compared with the field.

    Attributes:
        number: number of the hand, from 1.
        dealer: whether the seat deals it.
        dealt, starter: cards by name, "" if unknown.
        own: the attempt's result, as in `Attempt.hands`.
        mean: mean net points of the others who played it; None without others.
        others, same: number of others who played it, and of those who discarded the same.
        throws: the discards that were chosen, most frequent first.
        swing: mean net points with the player's discard minus those with other discards; None if
            all discarded the same.
    """

    number: int
    dealer: bool
    dealt: str
    starter: str
    own: dict[str, Any]
    mean: float | None
    others: int
    same: int
    throws: tuple[DiscardChoice, ...]
    swing: float | None

    @property
    def beyond(self) -> float | None:
        """The player's net points minus the mean of the field; None without others."""
        return None if self.mean is None else float(self.own["net"]) - self.mean

    @property
    def standing(self) -> Standing:
        """The hand's standing compared with the field; level if there is no one else."""
        beyond = self.beyond or 0.0
        if abs(beyond) < CLOSE:
            return "same"
        return "better" if beyond > 0 else "worse"


def field_of(*, game: StandardGame, seat: int) -> list[Attempt]:
    """Return the finished attempts at a seat with their players, newest first.

    Attempts of house computers are included; practice and removed attempts are not.
    """
    return list(
        comparable()
        .filter(standard_game=game, seat=seat)
        .select_related("player", "play__match")
        .order_by("-pk")[:MAX_ATTEMPTS]
    )


def comparable() -> QuerySet[Attempt]:
    """Return all attempts that others are compared with: finished, and not in `NOT_COMPARED`.

    Those of private matches that may not be shared are left out.
    """
    return (
        Attempt.objects.filter(play__finished_at__isnull=False)
        .exclude(play__exclusion__in=NOT_COMPARED)
        .exclude(Exists(withheld_plays().filter(pk=OuterRef("play"))))
    )


def margins_of(*, game: StandardGame, seat: int) -> dict[int, float]:
    """Return the margins of all attempts at a seat by primary key, however many there are."""
    rows = comparable().filter(standard_game=game, seat=seat)
    return {key: counted or 0.0 for key, counted in rows.values_list("pk", "counted")}


def verdict(attempt: Attempt, margins: Mapping[int, float]) -> Verdict:
    """Compare a finished attempt with the others in its seat, by their `margins_of`."""
    others = [margin for key, margin in margins.items() if key != attempt.pk]
    return compare_margin(margin_of(attempt), others)


def compare_margin(margin: float, others: Sequence[float]) -> Verdict:
    """Compare a margin with those of the others, points."""
    return Verdict(
        others=len(others),
        beaten=sum(other < margin for other in others),
        level=sum(other == margin for other in others),
        points=matchpoints(margin, others),
        margin=margin,
        mean=sum(others) / len(others) if others else None,
    )


def beaten_by(*, player: Player, seats: int) -> Beaten:
    """Count the others beaten in a player's newest games that count, in two queries."""
    own = list(
        comparable()
        .filter(player=player, first=True, standard_game__seats=seats, play__exclusion="")
        .order_by("-pk")[:GAMES_COUNTED]
    )
    found = verdicts(own).values()
    return Beaten(
        games=len(own),
        others=sum(one.others for one in found),
        beaten=sum(one.beaten for one in found),
    )


def verdicts(attempts: Sequence[Attempt]) -> dict[int, Verdict]:
    """Compare each of these finished attempts with its field, by primary key, in one query."""
    rows = comparable().filter(standard_game__in=[one.standard_game_id for one in attempts])
    margins: dict[tuple[int, int], dict[int, float]] = {}
    for key, game, seat, counted in rows.values_list("pk", "standard_game", "seat", "counted"):
        margins.setdefault((game, seat), {})[key] = counted or 0.0
    return {
        one.pk: verdict(one, margins.get((one.standard_game_id, one.seat), {})) for one in attempts
    }


def margin_of(attempt: Attempt) -> float:
    """Return the margin of an attempt that counts, points."""
    return attempt.counted if attempt.counted is not None else float(attempt.margin or 0.0)


def compare_hands(
    attempt: Attempt, field: Sequence[Attempt], *, upto: int | None = None
) -> list[HandComparison]:
    """Compare the hands that an attempt reached with the field, or the first ``upto`` hands."""
    reached = hands_reached(attempt) if upto is None else min(upto, len(attempt.hands))
    others = [other for other in field if other.pk != attempt.pk]
    cards = _cards(attempt)
    return [
        _compared(
            number,
            attempt,
            [other.hands[number] for other in others if number < len(other.hands)],
            *cards.get(number, ("", "")),
        )
        for number in range(min(reached, len(attempt.hands)))
    ]


def _compared(
    number: int,
    attempt: Attempt,
    others: Sequence[dict[str, Any]],
    dealt: str,
    starter: str,
) -> HandComparison:
    own = attempt.hands[number]
    nets: dict[str, list[float]] = {}
    for hand in (own, *others):
        nets.setdefault(hand["thrown"], []).append(float(hand["net"]))
    throws = [
        DiscardChoice(cards, len(found), sum(found) / len(found), cards == own["thrown"])
        for cards, found in nets.items()
    ]
    otherwise = [float(hand["net"]) for hand in others if hand["thrown"] != own["thrown"]]
    alike = nets[own["thrown"]]
    swing = None
    if otherwise:
        swing = sum(alike) / len(alike) - sum(otherwise) / len(otherwise)
    return HandComparison(
        number=number + 1,
        dealer=number % attempt.standard_game.seats == attempt.seat,
        dealt=dealt,
        starter=starter,
        own=own,
        mean=sum(float(hand["net"]) for hand in others) / len(others) if others else None,
        others=len(others),
        same=len(others) - len(otherwise),
        throws=tuple(sorted(throws, key=lambda throw: (-throw.number, -throw.net))),
        swing=swing,
    )


def _cards(attempt: Attempt) -> dict[int, tuple[str, str]]:
    """Return the cards dealt to an attempt, and the starter, by hand number."""
    rows = HandSeat.objects.filter(
        hand__match=attempt.play.match_id,
        seat__player=attempt.player_id,
        seat__computer=attempt.player.is_computer,
    ).values_list("hand__number", "dealt", "hand__starter")
    return {number: (dealt, starter) for number, dealt, starter in rows}
