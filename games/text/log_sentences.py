"""The log of a match in sentences, for printing and for pages without scripts.

It names all cards of a finished match, so only viewers who may see them all may get it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.cards import NAMES, Card
from games.engine.events import (
    Counted,
    CountEnded,
    CutForDeal,
    Event,
    GameWon,
    Go,
    Heels,
    MatchOver,
    Missed,
    Mugged,
    Played,
    Resigned,
    StarterCut,
)
from games.engine.moves import Deal, Discard, Move, Resign
from games.engine.scoring import score_hand
from games.text.count_phrases import count_words, part_words

_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log.

    Attributes:
        text: what happened, without the player.
        seat: the seat that acted; None for events that concern all.
        points: the points scored.
        scores: the scores of all seats after it; None if they did not change.
    """

    text: str
    seat: int | None = None
    points: int = 0
    scores: tuple[int, ...] | None = None


def card_sign(card: Card) -> str:
    """Return the notation of a card in the log: "10♥"."""
    name = NAMES[card]
    return ("10" if name[0] == "T" else name[0]) + _SIGNS[name[1]]


def signs(cards: Sequence[Card]) -> str:
    """Return the notation of cards in the log, lowest first."""
    return " ".join(card_sign(card) for card in sorted(cards))


def lines(
    move: Move,
    events: Sequence[Event],
    names: Sequence[str],
    left: Collection[int] = (),
    *,
    claimed: str | None = None,
) -> Iterator[LogLine]:
    """Yield the lines for one entry of the log and its events.

    Args:
        move: the entry.
        events: the events that it caused.
        names: the name of each seat.
        left: the seats whose players left for good: they have lost, even if a computer wins.
        claimed: why the win was claimed from a player who did not resign: see `claim_text`.
    """
    match move:
        case Deal(hands, crib_card):
            for seat, cards in enumerate(hands):
                yield LogLine(_("is dealt %(cards)s") % {"cards": signs(cards)}, seat)
            if crib_card is not None:
                yield LogLine(_("%(card)s is dealt to the crib") % {"card": card_sign(crib_card)})
        case Discard(seat, cards):
            yield LogLine(_("throws %(cards)s") % {"cards": signs(cards)}, seat)
        case Resign(seat) if claimed:
            yield LogLine(claim_text(claimed), seat)
        case _:
            yield from (line for event in events if (line := _line(event, names, left)) is not None)


def claim_text(claim: str) -> str:
    """Return what the log says of a player from whom the win was claimed.

    ``claim``: they were "absent", or there but "idle", or "late" in a correspondence match.
    """
    if claim == "idle":
        return _("stopped playing; the win was claimed")
    if claim == "late":
        return _("ran out of time; the win was claimed")
    return _("was away; the win was claimed")


def _line(event: Event, names: Sequence[str], left: Collection[int]) -> LogLine | None:
    match event:
        case Played():
            return _played(event)
        case Counted():
            return _counted(event)
        case CountEnded(points=0):
            return None
        case CountEnded(seat, reason, points, scores):
            text = _("last card") if reason == "last_card" else _("go")
            return LogLine(text, seat, points, scores)
        case Go(seat, count):
            return LogLine(_("says go at %(count)d") % {"count": count}, seat)
        case StarterCut(card):
            return LogLine(_("The starter is %(card)s") % {"card": card_sign(card)})
        case Heels(seat, points, scores):
            return LogLine(_("his heels"), seat, points, scores)
        case _:
            return _rare(event, names, left)


def _rare(event: Event, names: Sequence[str], left: Collection[int]) -> LogLine | None:
    match event:
        case CutForDeal():
            return _cut(event, names)
        case Mugged(seat, points=0, scores=scores):
            return LogLine(_("Muggins! Nothing missed"), seat, 0, scores)
        case Mugged(seat, victim, _item, points, scores):
            return LogLine(
                _("muggins from %(name)s") % {"name": names[victim]}, seat, points, scores
            )
        case Missed(seat, _item, points):
            return LogLine(_("missed %(n)d, no muggins called") % {"n": points}, seat)
        case Resigned(seat):
            return LogLine(_("resigned"), seat)
        case GameWon(winner=winner, scores=scores):
            result = " – ".join(map(str, scores))
            if winner in left:
                return LogLine(_("The computer finished the game, %(scores)s") % {"scores": result})
            return LogLine(_("wins the game, %(scores)s") % {"scores": result}, winner)
        case MatchOver(winner=None):
            return LogLine(_("The match is drawn"))
        case _:
            return None


def _cut(event: CutForDeal, names: Sequence[str]) -> LogLine:
    cuts = ", ".join(
        f"{names[seat]} {card_sign(card)}"
        for seat, card in enumerate(event.cards)
        if card is not None
    )
    if event.dealer is None:
        return LogLine(_("Cut for the deal: %(cuts)s; tie, cut again") % {"cuts": cuts})
    values = {"cuts": cuts, "name": names[event.dealer]}
    return LogLine(_("Cut for the deal: %(cuts)s; %(name)s to deal") % values)


def _played(event: Played) -> LogLine:
    reasons = [part_words(part) for part in event.parts]
    worth = sum(part.points for part in event.parts) or event.points
    if event.claimed is not None and event.claimed != worth:
        reasons.append(_("claimed %(n)d") % {"n": event.claimed})
    text = f"{card_sign(event.card)} → {event.count}"
    if reasons:
        text = _because(text, _(" and ").join(reasons))
    return LogLine(text, event.seat, event.points, event.scores)


def _because(what: str, why: str) -> str:
    """Return what happened, and why it scored. Languages differ in the space before a colon."""
    return _("%(what)s: %(why)s") % {"what": what, "why": why}


def _counted(event: Counted) -> LogLine:
    what = _("crib") if event.item == "crib" else _("hand")
    text = f"{what} {signs(event.cards)} + {card_sign(event.starter)}"
    if event.total is not None:
        found = score_hand(event.cards, event.starter, event.item == "crib")
        text = _because(text, count_words(found))
    if None not in {event.claimed, event.total} and event.claimed != event.total:
        text = _("%(points)s; claimed %(n)d") % {"points": text, "n": event.claimed}
    return LogLine(text, event.seat, event.points, event.scores)
