"""Filters that format the numbers and results of ratings, tournaments and seasons."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext

from games.api import date_format
from games.api import decimal_form as form_of
from games.api import signed as with_sign
from ratings.models import Fixture, RatingChange, Season
from ratings.pages import fixture_words, sentences
from ratings.rating.feed import FeedItem
from ratings.standard import catalogue
from ratings.standard.field import Verdict
from ratings.standard.throw_values import JudgedHand

register = template.Library()


@register.simple_tag
def time_per_decision() -> str:
    """Return how long a player of a ranked or daily game has for each decision, as a sentence."""
    return gettext("%(n)s seconds per decision.") % {"n": catalogue.ranked_clock()}


@register.filter
def signed(value: float | None, digits: int = 1) -> str:
    """Format a number with its sign; None is a dash."""
    return with_sign(value, int(digits))


@register.filter
def whole_change(change: FeedItem | RatingChange) -> str:
    """Format a change of a rating as the difference of the two whole numbers beside it."""
    return with_sign(round(change.now) - round(change.was), 0)


@register.filter
def decimal_form(value: float) -> int:
    """Return the whole number whose plural form a number with one decimal takes."""
    return form_of(value)


@register.filter
def margin(value: float | None) -> str:
    """Format a margin with its sign, and with a decimal only where there is one; None is a dash."""
    return with_sign(value, sentences.decimals(value))


@register.filter
def ahead(value: float) -> str:
    """Return a margin in words: "2 points ahead"."""
    return sentences.ahead(value)


@register.filter
def beat(verdict: Verdict) -> str:
    """Return how many of the others were beaten: "3 of 5"."""
    return sentences.beat(verdict)


@register.filter
def throw_verdict(hand: JudgedHand) -> str:
    """Return what a discard was as a decision: "Right throw, unlucky starter"."""
    return sentences.throw_verdict(hand)


@register.filter
def below(cost: float) -> str:
    """Format the points by which a discard is below the best: "−0.8"."""
    return with_sign(-cost)


@register.filter
def points(value: float | None, digits: int = 1) -> str:
    """Format a number with a true minus if it is negative; None is a dash."""
    return sentences.plain(value, int(digits))


@register.filter
def unplayed(row: Fixture | None) -> str:
    """Return who got a league's match that was not played, and why; "" for others."""
    return fixture_words.unplayed(row)


@register.filter
def season_name(season: Season) -> str:
    """Return what people call a season: "November 2026" or "2026"."""
    return date_format(season.starts_on, "YEAR_MONTH_FORMAT" if season.is_month else "Y")


@register.filter
def whole(value: float | None) -> str:
    """Format a number without decimals; None is a dash."""
    return sentences.plain(value, 0)
