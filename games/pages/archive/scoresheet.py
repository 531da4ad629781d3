"""Scoresheet of a match: the result of each game and its hands."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.archive.selectors import HandLine, MatchDetail
from games.engine.cards import parse_card
from games.engine.scorekeeping import match_points, skunks
from games.models import HandSeat, Match
from games.pages.charts.race import score_race

_SKUNKS = ("", gettext_lazy("skunk"), gettext_lazy("double skunk"))


@dataclass(frozen=True, slots=True)
class SeatPart:
    """One seat in a hand: cards kept and thrown, and points.

    The items of the points are None where the reader may see only the score.
    """

    name: str
    is_dealer: bool
    kept: str
    thrown: str
    pegging: int | None
    hand_points: int | None
    muggins: int | None
    score: int
    gained: int


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: number from 1, owner of the crib, starter, crib ("" if not shown), and seats.

    ``crib_points`` is None if the game ended before the crib was counted, or if the reader may see
    only the score; ``link`` says whether the reader may replay the hand.
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
    """A seat's score at the end of a game; ``note`` marks a skunk."""

    name: str
    score: int
    won: bool
    note: str


@dataclass(frozen=True, slots=True)
class GameSheet:
    """One game: number from 1, result (None while it is in progress), and hands.

    ``worth`` is the number of match points for the win; ``race`` is the chart of the scores.
    """

    number: int
    result: tuple[FinalScore, ...] | None
    worth: int
    rows: tuple[HandRow, ...]
    race: SafeString


def scoresheet(detail: MatchDetail) -> tuple[GameSheet, ...]:
    """Return the games of a match in order."""
    return tuple(_game(detail, number, hands) for number, hands in enumerate(detail.games, start=1))


def headline(detail: MatchDetail) -> str:
    """Return the result or the status of the match as a sentence."""
    match = detail.match
    if match.ended_by == Match.EndedBy.ABANDONED:
        return capfirst(match.get_ended_by_display())
    if match.status != Match.Status.FINISHED:
        return _("A match still in progress")
    own = None if detail.own_seat is None else detail.seats[detail.own_seat]
    if own is not None and own.left_at is not None:
        return _("You lost on time") if own.timed_out else _("You left and lost")
    winners = [seat for seat in detail.seats if seat.won]
    if not winners:
        drawn = match.winner is None
        return _("The match was drawn") if drawn else _("The computer finished the game")
    if own in winners:
        return _("You won the match")
    return _("%(name)s won the match") % {"name": winners[0].shown_name or "–"}


def seat_names(detail: MatchDetail) -> tuple[str, ...]:
    """Return the name of each seat; the viewer's own is "You"."""
    return tuple(
        _("You") if seat.seat == detail.own_seat else (seat.shown_name or _("no one"))
        for seat in detail.seats
    )


def _game(detail: MatchDetail, number: int, hands: tuple[HandLine, ...]) -> GameSheet:
    names = seat_names(detail)
    scores = tuple(part.score_after for part in hands[-1].seats)
    rules = detail.ruleset
    over = max(scores) >= rules.target
    skunked = skunks(rules, scores)
    result = tuple(
        FinalScore(
            name=names[seat],
            score=score,
            won=score >= rules.target and detail.seats[seat].left_at is None,
            note=str(_SKUNKS[skunked[seat]]),
        )
        for seat, score in enumerate(scores)
    )
    return GameSheet(
        number=number,
        result=result if over else None,
        worth=match_points(rules, skunked) if over else 0,
        rows=tuple(_row(detail, line, names) for line in hands),
        race=score_race(
            [[part.score_after for part in line.seats] for line in hands],
            names=names,
            rules=rules,
            start=rules.scores if number == 1 else None,
        ),
    )


def _row(detail: MatchDetail, line: HandLine, names: tuple[str, ...]) -> HandRow:
    shown = line.cards_shown
    own = _seat_with_own_cards(detail)
    return HandRow(
        number=line.hand.number + 1,
        crib_title=_crib_title(detail, line.hand.dealer),
        starter=line.hand.starter if shown or own is not None else "",
        crib_points=line.seats[line.hand.dealer].crib_points if line.items_shown else None,
        crib=line.hand.crib if shown else "",
        seats=tuple(
            _part(
                part,
                names[part.seat.seat],
                shown=shown or part.seat.seat == own,
                items=line.items_shown,
            )
            for part in line.seats
        ),
        link=shown,
    )


def _seat_with_own_cards(detail: MatchDetail) -> int | None:
    """Return the reader's seat if they played the match to its end: they know their own cards."""
    if detail.match.finished_at is None:
        return None
    own = next((row for row in detail.seats if row.seat == detail.own_seat), None)
    return own.seat if own is not None and own.left_at is None else None


def _crib_title(detail: MatchDetail, dealer: int) -> str:
    if dealer == detail.own_seat:
        return _("Your crib")
    return _("%(name)s's crib") % {"name": seat_names(detail)[dealer]}


def _part(part: HandSeat, name: str, *, shown: bool, items: bool) -> SeatPart:
    thrown = part.discarded.split()
    kept = sorted(set(part.dealt.split()) - set(thrown), key=parse_card)
    return SeatPart(
        name=name,
        is_dealer=part.is_dealer,
        kept=" ".join(kept) if shown else "",
        thrown=part.discarded if shown else "",
        pegging=part.pegging if items else None,
        hand_points=part.hand_points if items else None,
        muggins=part.muggins if items else None,
        score=part.score_after,
        gained=part.score_after - part.score_before,
    )
