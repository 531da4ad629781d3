"""The rules of a tournament in words, from the same values by which it is run."""

from __future__ import annotations

from math import ceil

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.events.formats import RULES, TieBreak
from ratings.models import Event
from ratings.standard.catalogue import arranged_clock

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
    TieBreak.SPREAD: gettext_lazy("spread: winning margins minus losing margins"),
    TieBreak.OPPONENTS: gettext_lazy("the matchpoints of your opponents"),
}

SPREAD_OF_THREE = gettext_lazy(
    "spread: your leads minus your deficits, each against the best of the others"
)


def how(event: Event) -> str:
    """Return the format in one or two sentences."""
    return str(FORMATS[Event.Format(event.format)])


def order_in_words(event: Event) -> list[str]:
    """Return what decides about places, in order."""
    words = {**ORDER, TieBreak.SPREAD: SPREAD_OF_THREE} if event.seats == 3 else ORDER
    order = [str(words[each]) for each in RULES[event.format].order]
    return [_("the playoff"), *order] if event.format == Event.Format.QUALIFYING else order


def rules_in_words(event: Event) -> list[str]:
    """Return the rules of an event, a sentence or two each."""
    return [*_scoring(event), *_bracket(event), *_absence(event)]


def time_in_words(no_show: int) -> list[str]:
    """Return how long players have for their first decision of a game and for each later one.

    The first is at least as long as the others, whatever ``no_show`` says (minutes).
    """
    clock = arranged_clock()
    minutes = max(no_show, ceil(clock / 60))
    return [
        ngettext(
            "If you haven't come to the table %(n)s minute after a game starts, you lose it.",
            "If you haven't come to the table %(n)s minutes after a game starts, you lose it.",
            minutes,
        )
        % {"n": minutes},
        _("After that, you have %(n)s seconds for each decision.") % {"n": clock},
    ]


def _scoring(event: Event) -> list[str]:
    rules = RULES[event.format]
    lines = []
    if event.format == Event.Format.SWISS:
        lines += [
            _(
                "Matchpoints: the percentage you beat of those with your cards, "
                "at most 100 a round. A tie counts half."
            ),
            _("Seats alternate, and you meet no one twice if it can be avoided."),
        ]
    elif event.format == Event.Format.TEAMS:
        lines.append(_("The team with the higher total margin wins."))
    elif event.seats == 3:
        lines.append(_("First place is worth 2 game points, second 1."))
    elif event.format != Event.Format.KNOCKOUT:
        lines.append(_("A win is worth 2 game points, a skunk 3, a loss 0."))
    if rules.computer_fills:
        lines.append(_("The computer plays any empty seat, and the game counts."))
    elif event.format != Event.Format.ARENA:
        lines.append(_("A round without an opponent counts as a win, but not as a game."))
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
    return [best_of, _("The best players only meet late in the bracket.")]


def _elsewhere(event: Event) -> list[str]:
    if event.format == Event.Format.ARENA:
        return [
            _("The arena won't pair you while you play elsewhere or a club night waits for you.")
        ]
    return [
        ngettext(
            "If you're still playing a ranked game, your game waits %(n)s minute for you.",
            "If you're still playing a ranked game, your game waits %(n)s minutes for you.",
            event.no_show,
        )
        % {"n": event.no_show},
        _("It waits for the end of your game at a club night or in another tournament."),
        _("If a club night has waited longer for you, its game comes first."),
    ]


def _title(event: Event) -> list[str]:
    """Return who can't win the title; a match of a team league has none."""
    if event.entry == Event.Entry.TEAM:
        return []
    return [_("You can't win the title if you don't come back.")]


def _absence(event: Event) -> list[str]:
    lines = [
        *time_in_words(event.no_show),
        *_elsewhere(event),
        _("If you leave or run out of time, you lose and sit out until you're back."),
        *_title(event),
        _("The organiser can correct results, with a public reason."),
        _("A tournament doesn't change ratings."),
    ]
    if event.check_in:
        lines.insert(
            0,
            ngettext(
                "Check in during the last %(n)s minute before the start, or you won't play.",
                "Check in during the last %(n)s minutes before the start, or you won't play.",
                event.check_in,
            )
            % {"n": event.check_in},
        )
    return lines
