"""One match as a sheet: the result of each game, and its hands line by line."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.cards import parse_card
from games.engine.scorekeeping import match_points, skunks
from games.models import HandSeat, Match
from games.selectors import HandLine, MatchDetail

_SKUNKS = ("", gettext_lazy("skunk"), gettext_lazy("double skunk"))


@dataclass(frozen=True, slots=True)
class SeatPart:
    """One seat's part in a hand: what it kept and threw, and what each item brought."""

    name: str
    is_dealer: bool
    kept: str
    thrown: str
    pegging: int
    hand_points: int | None
    muggins: int
    score: int
    gained: int


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: its number from 1, whose crib, starter, crib ("" if not shown), each seat's part.

    ``crib_points`` are None where the game ended before the crib was counted; ``link`` tells
    whether the reader may step through it.
    """

    number: int
    crib_title: str
    starter: str
    crib: str
    crib_points: int | None
    seats: tuple[SeatPart, ...]
    link: bool


@dataclass(frozen=True, slots=True)
class FinalScore:
    """A seat's score at the end of a game; ``note`` tells a skunk."""

    name: str
    score: int
    won: bool
    note: str


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game: its number from 1, its result (None while it goes on), its hands.

    ``worth`` are the match points of the win.
    """

    number: int
    result: tuple[FinalScore, ...] | None
    worth: int
    rows: tuple[HandRow, ...]


def scoresheet(detail: MatchDetail) -> tuple[GameSheet, ...]:
    """Return the games of a match in order."""
    return tuple(_game(detail, number, hands) for number, hands in enumerate(detail.games, start=1))


def headline(detail: MatchDetail) -> str:
    """Return in a sentence how the match ended, or how it stands."""
    match = detail.match
    if match.status != Match.Status.FINISHED:
        return _("A match that is not over yet")
    if match.winner is None:
        return _("The match was drawn")
    if match.winner == detail.own_seat:
        return _("You won the match")
    winner = detail.seats[match.winner].player
    return _("%(name)s won the match") % {"name": winner.name if winner is not None else "–"}


def seat_names(detail: MatchDetail) -> tuple[str, ...]:
    """Return the name of each seat; the viewer's own is "You"."""
    return tuple(
        _("You")
        if seat.seat == detail.own_seat
        else (seat.player.name if seat.player is not None else _("nobody"))
        for seat in detail.seats
    )


def _game(detail: MatchDetail, number: int, hands: tuple[HandLine, ...]) -> GameSheet:
    names = seat_names(detail)
    scores = tuple(part.score_after for part in hands[-1].seats)
    rules = detail.ruleset
    over = max(scores) >= rules.target
    skunked = skunks(rules, scores)
    result = tuple(
        FinalScore(names[seat], score, score >= rules.target, str(_SKUNKS[skunked[seat]]))
        for seat, score in enumerate(scores)
    )
    return GameSheet(
        number=number,
        result=result if over else None,
        worth=match_points(rules, skunked) if over else 0,
        rows=tuple(_row(detail, line, names) for line in hands),
    )


def _row(detail: MatchDetail, line: HandLine, names: tuple[str, ...]) -> HandRow:
    shown = line.cards_shown
    return HandRow(
        number=line.hand.number + 1,
        crib_title=_crib_title(detail, line.hand.dealer),
        starter=line.hand.starter if shown else "",
        crib_points=line.seats[line.hand.dealer].crib_points,
        crib=line.hand.crib if shown else "",
        seats=tuple(_part(part, names[part.seat.seat], shown=shown) for part in line.seats),
        link=shown,
    )


def _crib_title(detail: MatchDetail, dealer: int) -> str:
    if dealer == detail.own_seat:
        return _("Your crib")
    return _("%(name)s's crib") % {"name": seat_names(detail)[dealer]}


def _part(part: HandSeat, name: str, *, shown: bool) -> SeatPart:
    thrown = part.discarded.split()
    kept = sorted(set(part.dealt.split()) - set(thrown), key=parse_card)
    return SeatPart(
        name=name,
        is_dealer=part.is_dealer,
        kept=" ".join(kept) if shown else "",
        thrown=part.discarded if shown else "",
        pegging=part.pegging,
        hand_points=part.hand_points,
        muggins=part.muggins,
        score=part.score_after,
        gained=part.score_after - part.score_before,
    )
