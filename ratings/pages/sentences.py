"""Ratings, verdicts and reasons as text for readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.html import strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.api import decimal_form, signed
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
    """A feed item with its reasons as sentences.

    ``elo`` is the signed difference of the two ratings as they are shown, with one decimal.
    """

    news: FeedItem
    elo: str
    reasons: tuple[ReasonLine, ...]


def plain(value: float | None, digits: int = 1) -> str:
    """Format a number with a true minus if it is negative; None is a dash."""
    text = signed(value, digits)
    return text.removeprefix("+")


def decimals(value: float | None) -> int:
    """Return the number of decimals that points need: none for whole ones, else one."""
    return 0 if value is None or abs(value - round(value)) < 0.05 else 1


def ahead(margin: float) -> str:
    """Return a margin in words: "2 points ahead", "4.2 points behind", "level"."""
    digits = decimals(margin)
    text = plain(abs(margin), digits)
    number = decimal_form(margin) if digits else round(abs(margin))
    if not digits and not number:
        return pgettext("margin", "level")
    if margin > 0:
        return ngettext("%(n)s point ahead", "%(n)s points ahead", number) % {"n": text}
    return ngettext("%(n)s point behind", "%(n)s points behind", number) % {"n": text}


def headline(verdict: Verdict) -> str:
    """Return the first sentence of an attempt's page: how it compares with the field."""
    if not verdict.others:
        return _("No one else has played these cards yet.")
    if verdict.others == 1:
        if verdict.level:
            return _("You tied with the one other player.")
        if verdict.beaten:
            return _("You beat the one other player.")
        return _("The one other player beat you.")
    values = {
        "place": place(verdict),
        "beaten": verdict.beaten,
        "others": verdict.others,
        "level": verdict.level,
        "ahead": verdict.ahead,
    }
    if verdict.level:
        text = _tied_headline(verdict)
    elif verdict.beaten == verdict.others:
        text = _("%(place)s with these cards: you beat all %(others)d others.")
    elif not verdict.beaten:
        text = _("%(place)s with these cards: all %(others)d others beat you.")
    else:
        text = _("%(place)s with these cards: you beat %(beaten)d of %(others)d others.")
    return text % values


def _tied_headline(verdict: Verdict) -> str:
    """Return the first sentence, with gaps, of an attempt that tied with some of several others."""
    if verdict.level == verdict.others:
        return _("You tied with all %(others)d others.")
    if not verdict.beaten:
        return ngettext(
            "%(place)s with these cards: tied with %(level)d of %(others)d others,"
            " behind the other one.",
            "%(place)s with these cards: tied with %(level)d of %(others)d others,"
            " behind the other %(ahead)d.",
            verdict.ahead,
        )
    if not verdict.ahead:
        return ngettext(
            "%(place)s with these cards: you beat %(beaten)d of %(others)d others and"
            " tied with the other one.",
            "%(place)s with these cards: you beat %(beaten)d of %(others)d others and"
            " tied with the other %(level)d.",
            verdict.level,
        )
    return _(
        "%(place)s with these cards: you beat %(beaten)d of %(others)d others and tied with"
        " %(level)d."
    )


def place(verdict: Verdict) -> str:
    """Return the place in the field: "4th of 6"."""
    return _("%(place)s of %(all)d") % {"place": _ordinal(verdict.place), "all": verdict.all}


def beat(verdict: Verdict) -> str:
    """Return how many of the others were beaten, "3 of 5"; a dash without others."""
    if not verdict.others:
        return "–"
    return _("%(beaten)d of %(others)d") % {"beaten": verdict.beaten, "others": verdict.others}


def throw_verdict(hand: JudgedHand) -> str:
    """Return what a player's discard was as a decision, with the starter's luck told apart."""
    if hand.own.is_right:
        if hand.is_unlucky:
            return _("Right discard, unlucky starter")
        if hand.is_lucky:
            return _("Right discard, lucky starter")
        return _("Right discard")
    form = decimal_form(hand.own.cost)
    if hand.is_unlucky:
        text = ngettext(
            "%(points)s point below the best discard, unlucky starter",
            "%(points)s points below the best discard, unlucky starter",
            form,
        )
    elif hand.is_lucky:
        text = ngettext(
            "%(points)s point below the best discard, lucky starter",
            "%(points)s points below the best discard, lucky starter",
            form,
        )
    else:
        text = ngettext(
            "%(points)s point below the best discard",
            "%(points)s points below the best discard",
            form,
        )
    return text % {"points": plain(hand.own.cost)}


def place_or_tie(verdict: Verdict) -> str:
    """Return the place in the field, shared or not: "4th of 6", "Tied for 4th of 6"."""
    if not verdict.others:
        return _("First to play it")
    if not verdict.level:
        return place(verdict)
    return _("Tied for %(place)s of %(all)d") % {
        "place": _ordinal(verdict.place),
        "all": verdict.all,
    }


def place_in_words(verdict: Verdict) -> str:
    """Return the place in the field as a phrase of its own: "4th of 6 with these cards"."""
    if not verdict.others:
        return _("You're the first to play these cards.")
    values = {"place": _ordinal(verdict.place), "all": verdict.all}
    if verdict.level:
        return _("Tied for %(place)s of %(all)d with these cards") % values
    return _("%(place)s of %(all)d with these cards") % values


def _ordinal(number: int) -> str:
    """Return an ordinal number as plain text: "4th", "4.", "4e", "4.º"."""
    text = strip_tags(str(ordinal(number)))  # in French it has a tag
    return text.replace("º", ".º")  # in Spanish it lacks the point


def main_reason(change: FeedItem, game: int) -> str:
    """Return the main reason for the change of a rating by a standard game, as a sentence.

    It is the result itself if that moved the rating. Effects too small to be listed are left out of
    a feed item: a result without one was what had been expected.
    """
    for reason in change.reasons:
        if reason.cause == "new" and reason.game == game:
            if reason.was is None or reason.now is None:
                return reason_text(reason)
            return _result_reason(reason.was, reason.now)
    others = [reason for reason in change.reasons if reason.cause != "rest"]
    return reason_text(others[0]) if others else _as_expected()


def names_expectation(change: FeedItem, game: int) -> bool:
    """Return whether the main reason is the calculation that starts from what was expected."""
    return any(
        reason.was is not None and reason.now is not None and difference(reason.was, reason.now)
        for reason in change.reasons
        if reason.cause == "new" and reason.game == game
    )


def _as_expected() -> str:
    return _("Just as expected with these cards.")


def _result_reason(expected: float, margin: float) -> str:
    """Return the calculation that connects a margin, what was expected, and the change."""
    points = difference(expected, margin)
    if not points:
        return _as_expected()
    digits = decimals(points)
    form = decimal_form(abs(points)) if digits else round(abs(points))
    if points > 0:
        text = ngettext(
            "Your margin: %(now)s. Expected with these cards: %(was)s. So %(n)s point better.",
            "Your margin: %(now)s. Expected with these cards: %(was)s. So %(n)s points better.",
            form,
        )
    else:
        text = ngettext(
            "Your margin: %(now)s. Expected with these cards: %(was)s. So %(n)s point worse.",
            "Your margin: %(now)s. Expected with these cards: %(was)s. So %(n)s points worse.",
            form,
        )
    number = plain(abs(points), digits)
    return text % {"now": ahead(margin), "was": ahead(round(expected)), "n": number}


def difference(expected: float, margin: float) -> float:
    """Return how far a margin is above what was expected, points, as a reader computes it.

    An expectation is shown in whole points. A margin is one of the game's own numbers: at a table
    of three a half, and for who left a tenth.
    """
    return round(margin, 1) - round(expected)


def news_lines(news: Iterable[FeedItem]) -> list[FeedLine]:
    """Return feed items with their reasons as sentences."""
    return [
        FeedLine(
            one,
            signed(round(one.now, 1) - round(one.was, 1)),
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
        "game": str(reason.game),
        "n": reason.others,
        "was": plain(reason.was),
        "now": plain(reason.now),
    }
    match reason.cause:
        case "effect" if reason.others:
            text = _others_text(reason)
        case "effect":
            text = ngettext(
                "New results for game #%(game)s: your cards are now worth %(now)s point"
                " (before: %(was)s)",
                "New results for game #%(game)s: your cards are now worth %(now)s points"
                " (before: %(was)s)",
                decimal_form(reason.now or 0),
            )
        case "opponent":
            values |= {"was": plain(reason.was, 0), "now": plain(reason.now, 0)}
            values["more"] = reason.more
            text = _opponent_text(reason) if reason.seats == 2 else _opponents_text(reason)
        case "new":
            text = _("Your result in game #%(game)s")
            if reason.was is not None and reason.now is not None:  # both, unless it is an old one
                values |= {"was": ahead(round(reason.was)), "now": ahead(reason.now)}
                text = _("Your game #%(game)s: %(now)s, expected %(was)s")
        case "corrected":
            text = _(
                "Your margin in game #%(game)s minus par now counts as %(now)s (before: %(was)s)"
            )
        case "removed":
            text = _("Game #%(game)s no longer counts")
        case "faded":
            text = _("Game #%(game)s counts less now that you've played more")
        case _:
            text = _("Smaller changes")
    return text % values


def _opponent_text(reason: Reason) -> str:
    """Return the new rating of the opponent at a table of two, with gaps."""
    if not reason.more:
        return _("Your opponent in game #%(game)s is now rated %(now)s (before: %(was)s)")
    return ngettext(
        "Your opponent in game #%(game)s and %(more)d other game"
        " is now rated %(now)s (before: %(was)s)",
        "Your opponent in game #%(game)s and %(more)d other games"
        " is now rated %(now)s (before: %(was)s)",
        reason.more,
    )


def _opponents_text(reason: Reason) -> str:
    """Return the new mean rating of the opponents at a table of three, with gaps."""
    if not reason.more:
        return _(
            "Your opponents in game #%(game)s are now rated %(now)s on average (before: %(was)s)"
        )
    return ngettext(
        "Your opponents in game #%(game)s and %(more)d other game"
        " are now rated %(now)s on average (before: %(was)s)",
        "Your opponents in game #%(game)s and %(more)d other games"
        " are now rated %(now)s on average (before: %(was)s)",
        reason.more,
    )


def _others_text(reason: Reason) -> str:
    """Return how others have since done with the cards, which tells the sign of the effect."""
    if (reason.now or 0.0) > (reason.was or 0.0):
        return ngettext(
            "%(n)d more player had your cards in game #%(game)s and did better: now worth %(now)s"
            " (before: %(was)s)",
            "%(n)d more players had your cards in game #%(game)s and did better: now worth %(now)s"
            " (before: %(was)s)",
            reason.others,
        )
    return ngettext(
        "%(n)d more player had your cards in game #%(game)s and did worse: now worth %(now)s"
        " (before: %(was)s)",
        "%(n)d more players had your cards in game #%(game)s and did worse: now worth %(now)s"
        " (before: %(was)s)",
        reason.others,
    )
