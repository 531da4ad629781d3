"""The rules of a tournament in words, from the same values by which it is run."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.events.formats import RULES, TieBreak
from ratings.models import Event

FORMATS = {
    Event.Format.SWISS: gettext_lazy(
        "In each round every table plays the same cards. You score for everyone you beat with them."
    ),
    Event.Format.QUALIFYING: gettext_lazy(
        "Everyone plays the same number of rounds, then the best quarter goes on to a playoff."
    ),
    Event.Format.KNOCKOUT: gettext_lazy("Win and you go on. Lose and you're out."),
    Event.Format.ROBIN: gettext_lazy("Everyone plays everyone once."),
    Event.Format.ARENA: gettext_lazy(
        "Play as many short games to 61 as you can before the time is up."
    ),
    Event.Format.TEAMS: gettext_lazy(
        "Two teams of two. At the other table, "
        "your partner plays the same cards from the opposite seat."
    ),
}

ORDER = {
    TieBreak.MATCHPOINTS: gettext_lazy("matchpoints"),
    TieBreak.POINTS: gettext_lazy("game points"),
    TieBreak.WON: gettext_lazy("games won"),
    TieBreak.SPREAD: gettext_lazy("spread: points you won by minus points you lost by"),
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
            _(
                "Matchpoints: the share of players you beat who held the same cards in the same "
                "seat. A tie counts half."
            ),
            _("Seats alternate, and you meet no one twice if possible."),
        ]
    elif event.format == Event.Format.TEAMS:
        lines.append(_("The team whose margins add up to more points wins."))
    elif event.seats == 3:
        lines.append(_("First place in a game is worth 2 game points, second place 1."))
    elif event.format != Event.Format.KNOCKOUT:
        lines.append(
            _("A win is worth 2 game points, a skunk (by 31 points or more) 3, a loss nothing.")
        )
    if rules.computer_fills:
        lines.append(_("If a seat stays empty, a computer plays it, and the game counts for you."))
    elif event.format != Event.Format.ARENA:
        lines.append(_("If you have no opponent in a round, it counts as a win."))
    if rules.duplicate:
        lines.append(_("Results and cards of a round stay hidden until the round is over."))
    return lines


def _bracket(event: Event) -> list[str]:
    if not RULES[event.format].bracket:
        return []
    best_of = ngettext(
        "In the bracket one game decides.",
        "In the bracket the best of %(n)s games decides.",
        event.best_of,
    ) % {"n": event.best_of}
    return [best_of, _("The best players can only meet late in the bracket.")]


def _absence(event: Event) -> list[str]:
    lines = [
        ngettext(
            "If you don't turn up within %(n)s minute, you lose the game.",
            "If you don't turn up within %(n)s minutes, you lose the game.",
            event.no_show,
        )
        % {"n": event.no_show},
        _("If you leave a game or run out of time, you lose it and sit out until you come back."),
        _("Players who don't come back get no title."),
        _("The organiser can correct a result. Everyone sees the reason."),
        _("A tournament doesn't change ratings."),
    ]
    if event.check_in:
        lines.insert(
            0,
            ngettext(
                "Check in during the last %(n)s minute before the start, or you won't be paired.",
                "Check in during the last %(n)s minutes before the start, or you won't be paired.",
                event.check_in,
            )
            % {"n": event.check_in},
        )
    return lines
