"""Ratings, verdicts and reasons as text for readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from ratings.rating.feed import FeedItem, Reason
from ratings.standard.field import Verdict
from ratings.standard.throw_values import JudgedHand


@dataclass(frozen=True, slots=True)
class ReasonLine:
    """A reason as a sentence, the number of its game for a link, and its effect as signed Elo."""

    text: str
    game: int | None
    elo: str


@dataclass(frozen=True, slots=True)
class FeedLine:
    """A feed item with its reasons as sentences; ``elo`` is signed."""

    news: FeedItem
    elo: str
    reasons: tuple[ReasonLine, ...]


def signed(value: float | None, digits: int = 1) -> str:
    """Format a number with its sign (a true minus); zero has none, and None is a dash."""
    if value is None:
        return "–"
    # `number_format` truncates, so the value is rounded first.
    rounded = round(value, digits)
    text: str = number_format(abs(rounded), digits)
    if not rounded:
        return text
    return ("\N{MINUS SIGN}" if rounded < 0 else "+") + text


def plain(value: float | None, digits: int = 1) -> str:
    """Format a number with a true minus if it is negative; None is a dash."""
    text = signed(value, digits)
    return text.removeprefix("+")


def headline(verdict: Verdict) -> str:
    """Return the first sentence of an attempt's page: how it compares with the field."""
    if not verdict.others:
        return _("Nobody else has played these cards yet.")
    if verdict.others == 1:
        if verdict.level:
            return _("You and one other player played these cards equally well.")
        if verdict.beaten:
            return _("You beat the one other player with these cards.")
        return _("The one other player with these cards beat you.")
    values = {
        "place": place(verdict),
        "beaten": verdict.beaten,
        "others": verdict.others,
        "level": verdict.level,
    }
    if verdict.beaten == verdict.others:
        text = _("%(place)s with these cards: you beat all %(others)d others.")
    elif not verdict.beaten and not verdict.level:
        text = _("%(place)s with these cards: all %(others)d others did better.")
    elif verdict.level:
        text = _(
            "%(place)s with these cards: you beat %(beaten)d of the %(others)d others"
            " and tied with %(level)d."
        )
    else:
        text = _("%(place)s with these cards: you beat %(beaten)d of the %(others)d others.")
    return text % values


def place(verdict: Verdict) -> str:
    """Return the place in the field: "4th of 6"."""
    return _("%(place)s of %(all)d") % {"place": ordinal(verdict.place), "all": verdict.all}


def beat(verdict: Verdict) -> str:
    """Return how many of the others were beaten, "3 of 5"; a dash without others."""
    if not verdict.others:
        return "–"
    return _("%(beaten)d of %(others)d") % {"beaten": verdict.beaten, "others": verdict.others}


def throw_verdict(hand: JudgedHand) -> str:
    """Return what a player's discard was as a decision, with the starter's luck told apart."""
    if hand.own.is_right:
        if hand.is_unlucky:
            return _("Right throw, unlucky starter")
        if hand.is_lucky:
            return _("Right throw, lucky starter")
        return _("Right throw")
    points = {"points": plain(hand.own.cost)}
    if hand.is_unlucky:
        return _("%(points)s points below the best throw, and an unlucky starter") % points
    if hand.is_lucky:
        return _("%(points)s points below the best throw, but a lucky starter") % points
    return _("%(points)s points below the best throw") % points


def ordinal(number: int) -> str:
    """Return an ordinal number in the reader's language: "4th", "4.", "4e"."""
    language = (get_language() or "en")[:2]
    if language == "de":
        return f"{number}."
    if language == "fr":
        return "1er" if number == 1 else f"{number}e"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}th" if number % 100 in {11, 12, 13} else f"{number}{ending}"


def news_lines(news: Iterable[FeedItem]) -> list[FeedLine]:
    """Return feed items with their reasons as sentences."""
    return [
        FeedLine(
            one,
            signed(one.elo),
            tuple(
                ReasonLine(reason_text(reason), reason.game, signed(reason.elo))
                for reason in one.reasons
            ),
        )
        for one in news
    ]


def reason_text(reason: Reason) -> str:
    """Return a reason as a sentence, without its effect on the rating."""
    values: dict[str, str | int] = {
        "game": f"#{reason.game}",
        "n": reason.others,
        "was": plain(reason.was),
        "now": plain(reason.now),
    }
    match reason.cause:
        case "effect" if reason.others:
            text = ngettext(
                "%(n)d other played %(game)s in your seat: it is now worth %(now)s, was %(was)s",
                "%(n)d others played %(game)s in your seat: it is now worth %(now)s, was %(was)s",
                reason.others,
            )
        case "effect":
            text = _(
                "New ratings of those who played %(game)s: your seat is worth %(now)s, was %(was)s"
            )
        case "opponent":
            values |= {"was": plain(reason.was, 0), "now": plain(reason.now, 0)}
            values["more"] = reason.more
            text = _("Your opponent in %(game)s is now rated %(now)s, was %(was)s")
            if reason.more:
                text = ngettext(
                    "Your opponent in %(game)s and %(more)d more game"
                    " is now rated %(now)s, was %(was)s",
                    "Your opponent in %(game)s and %(more)d more games"
                    " is now rated %(now)s, was %(was)s",
                    reason.more,
                )
        case "new":
            values["now"] = signed(reason.now)
            text = _("You played %(game)s: %(now)s points beside what your seat is worth")
        case "corrected":
            text = _("Your margin in %(game)s, less par, now counts as %(now)s, was %(was)s")
        case "removed":
            text = _("%(game)s no longer counts")
        case "faded":
            text = _("%(game)s counts less, since you have played on")
        case _:
            text = _("Smaller changes elsewhere")
    return text % values
