"""Reasons of the analysis board: why a choice is worth what it is, in a sentence or two."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.discard_value import DiscardValue
from games.learn.analysis_answers import Answer, Choice
from games.text.count_phrases import part_words, points_words
from games.text.numbers import decimal_form

EQUAL = 0.05
"""Points below which two values are shown as equal."""


def reasons(answer: Answer, choice: Choice) -> list[str]:
    """Return why a choice is best, or what it lacks compared with the best."""
    best = answer.choices[0]
    other = best
    if choice is best:
        if len(answer.choices) == 1:
            return [*_card(choice), _("It's your only choice.")]
        other = answer.choices[1]
    if choice.throw is None or other.throw is None:
        return _card(choice)
    found = [_compared(answer, choice.throw, other.throw)]
    if answer.by_chance:
        found += _score_decides(choice, other, is_best=choice is best)
    return [text for text in found if text]


def _compared(answer: Answer, own: DiscardValue, other: DiscardValue) -> str:
    """Return the largest difference between two throws: hand, crib or play."""
    deals = answer.position.dealer == 0
    crib = own.crib - other.crib
    parts = {
        "hand": own.hand - other.hand,
        "crib": crib if deals else -crib,
        "play": own.pegging - other.pegging,
    }
    if all(abs(value) < EQUAL for value in parts.values()):
        return _("As good as the next throw.")
    ahead = own.total >= other.total
    name = max(parts, key=lambda part: parts[part] if ahead else -parts[part])
    texts = _texts(deals=deals, form=decimal_form(parts[name]))
    return texts[name, parts[name] > 0] % {"points": decimal(abs(parts[name]))}


def _texts(*, deals: bool, form: int) -> dict[tuple[str, bool], str]:
    """Return the sentences of each part, by whether it is larger.

    Args:
        deals: whether the crib is the player's own.
        form: the number whose plural form the points take.
    """
    texts = {
        ("hand", True): ngettext(
            "Your hand averages %(points)s more point.",
            "Your hand averages %(points)s more points.",
            form,
        ),
        ("hand", False): ngettext(
            "Your hand averages %(points)s fewer point.",
            "Your hand averages %(points)s fewer points.",
            form,
        ),
        ("play", True): ngettext(
            "It pegs %(points)s more point.",
            "It pegs %(points)s more points.",
            form,
        ),
        ("play", False): ngettext(
            "It pegs %(points)s fewer point.",
            "It pegs %(points)s fewer points.",
            form,
        ),
        ("crib", True): ngettext(
            "Worth %(points)s more point in the crib.",
            "Worth %(points)s more points in the crib.",
            form,
        ),
        ("crib", False): ngettext(
            "Worth %(points)s fewer point in the crib.",
            "Worth %(points)s fewer points in the crib.",
            form,
        ),
    }
    if not deals:
        texts |= {
            ("crib", True): ngettext(
                "It gives the dealer's crib %(points)s fewer point.",
                "It gives the dealer's crib %(points)s fewer points.",
                form,
            ),
            ("crib", False): ngettext(
                "It gives the dealer's crib %(points)s more point.",
                "It gives the dealer's crib %(points)s more points.",
                form,
            ),
        }
    return texts


def _score_decides(choice: Choice, other: Choice, *, is_best: bool) -> list[str]:
    if is_best and choice.points < other.points - EQUAL:
        return [_("Fewer points, but more wins at this score.")]
    if not is_best and choice.points > other.points + EQUAL:
        return [_("More points, but fewer wins at this score.")]
    return []


def _card(choice: Choice) -> list[str]:
    """Return what a card scores, and how many hidden cards would score on it."""
    found = []
    if choice.made:
        made = _(" and ").join(part_words(part) for part in choice.made)
        points = points_words(sum(part.points for part in choice.made))
        found.append(_("It makes %(what)s: %(points)s.") % {"what": made, "points": points})
    if choice.reply is None:
        found.append(_("No one can answer it."))
        return found
    spread = choice.reply.spread
    scoring, hidden = sum(spread[1:]), sum(spread)
    if not scoring:
        found.append(_("No unseen card scores on it."))
    else:
        text = ngettext(
            "%(n)d of %(hidden)d unseen cards scores on it.",
            "%(n)d of %(hidden)d unseen cards score on it.",
            scoring,
        )
        found.append(text % {"n": scoring, "hidden": hidden})
    return found


def decimal(value: float) -> str:
    """Format a number with one decimal; it is rounded first, since formatting truncates."""
    shown: str = number_format(round(value, 1), 1)
    return shown
