"""The rules of a tournament in words, from the same values by which it is run."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.events.formats import RULES, TieBreak
from ratings.models import Event

FORMATS = {
    Event.Format.SWISS: gettext_lazy(
        "Every table plays the same cards. You score for everyone you beat."
    ),
    Event.Format.QUALIFYING: gettext_lazy("After all rounds, the best quarter goes to a playoff."),
    Event.Format.KNOCKOUT: gettext_lazy("Lose and you're out."),
    Event.Format.ROBIN: gettext_lazy("Everyone plays everyone once."),
    Event.Format.ARENA: gettext_lazy("Play as many short games to 61 as you can."),
    Event.Format.TEAMS: gettext_lazy("Your partner has the same cards in the other seat."),
}

ORDER = {
    TieBreak.MATCHPOINTS: gettext_lazy("matchpoints"),
    TieBreak.POINTS: gettext_lazy("game points"),
    TieBreak.WON: gettext_lazy("games won"),
    TieBreak.SPREAD: gettext_lazy("spread: points won by minus points lost by"),
    TieBreak.OPPONENTS: gettext_lazy("the matchpoints of your opponents"),
}


def how(event: Event) -> str:
    """Return the format in one or two sentences."""
    return str(FORMATS[Event.Format(event.format)])


def order_in_words(event: Event) -> list[str]:
    """Return what decides about places, in order."""
    return [str(ORDER[each]) for each in RULES[event.format].order]


def rules_in_words(event: Event) -> list[str]:
    """Return the rules of an event, a sentence or two each."""
    return [*_scoring(event), *_bracket(event), *_absence(event)]


def _scoring(event: Event) -> list[str]:
    rules = RULES[event.format]
    lines = []
    if event.format == Event.Format.SWISS:
        lines += [
            _("Matchpoints: the share you beat of those with your cards. A tie counts half."),
            _("Seats alternate. You meet no one twice if possible."),
        ]
    elif event.format == Event.Format.TEAMS:
        lines.append(_("The team with the higher total margin wins."))
    elif event.seats == 3:
        lines.append(_("First place is worth 2 game points, second 1."))
    elif event.format != Event.Format.KNOCKOUT:
        lines.append(_("A win is worth 2 game points, a skunk 3, a loss 0."))
    if rules.computer_fills:
        lines.append(_("A computer plays an empty seat, and the game counts."))
    elif event.format != Event.Format.ARENA:
        lines.append(_("A round without an opponent counts as a win."))
    if rules.duplicate:
        lines.append(_("Results and cards stay hidden until the round is over."))
    return lines


def _bracket(event: Event) -> list[str]:
    if not RULES[event.format].bracket:
        return []
    best_of = ngettext(
        "In the bracket one game decides.",
        "In the bracket the best of %(n)s games decides.",
        event.best_of,
    ) % {"n": event.best_of}
    return [best_of, _("The best players can only meet late.")]


def _absence(event: Event) -> list[str]:
    lines = [
        ngettext(
            "After %(n)s minute's absence, you lose the game.",
            "After %(n)s minutes' absence, you lose the game.",
            event.no_show,
        )
        % {"n": event.no_show},
        _("Leave or time out: you lose, and sit out until you're back."),
        _("No title if you don't come back."),
        _("The organiser can correct results, with a public reason."),
        _("A tournament doesn't change ratings."),
    ]
    if event.check_in:
        lines.insert(
            0,
            ngettext(
                "Check in during the last %(n)s minute, or you won't play.",
                "Check in during the last %(n)s minutes, or you won't play.",
                event.check_in,
            )
            % {"n": event.check_in},
        )
    return lines
