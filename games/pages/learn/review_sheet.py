"""Template data of a review: decisions by hand, summaries, luck and skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games.analysis import three
from games.analysis.review import Item, Option
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import PARTS, VERDICTS, WRONG, Summary
from games.archive.replays import HandSteps, Replay
from games.engine.view import View, view_for
from games.models import Match
from games.pages import card_svg
from games.pages.learn import review_words as words
from games.text.numbers import decimal_form

MISTAKES = 6
"""Maximum number of mistakes shown as cards; the list below has all of them."""


@dataclass(frozen=True, slots=True)
class OptionLine:
    """A choice in a table: cards and numbers as text; only discards have values for their parts.

    `form` is the whole number whose plural form the points take.
    """

    cards: str
    points: str
    form: int
    chance: str
    hand: str
    crib: str
    pegging: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A decision as shown.

    Attributes:
        item: the judgement.
        name: the player who decided.
        verdict: the verdict in words.
        reason: why the best choice is better, as a sentence, or "".
        chosen, best: cards as "5H TD"; best is "" if it was chosen.
        held: the cards to choose from.
        pile, count, starter: the table at the time.
        loss: what it cost, in words, or "".
        options: the choices.
        hindsight: a sentence about the result with all cards known, or "".
        replay: address of the step before the decision.
        helper: address of the discard helper with this question, or "".
    """

    item: Item
    name: str
    verdict: str
    reason: str
    chosen: str
    best: str
    held: str
    pile: str
    count: int
    starter: str
    loss: str
    options: tuple[OptionLine, ...]
    hindsight: str
    replay: str
    helper: str

    @property
    def throws(self) -> bool:
        """Whether it was a discard."""
        return self.item.action == "discard"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake or blunder as a card: what was done beside what was best."""

    line: Line
    done: OptionLine
    best: OptionLine


@dataclass(frozen=True, slots=True)
class HandLines:
    """The decisions of a hand, the ``scores`` before it, and the number of ``forced`` moves."""

    hand: HandSteps
    dealer: str
    scores: str
    replay: str
    lines: tuple[Line, ...]
    forced: int


@dataclass(frozen=True, slots=True)
class Row:
    """A table row with a column per seat; ``verdict`` is "" for other rows."""

    label: str
    values: tuple[str, ...]
    verdict: str = ""
    strong: bool = False


def decision(item: Item, view: View, *, names: Sequence[str], match: Match) -> Line:
    """Return a decision as shown, from its seat's view at the time."""
    best = item.best
    is_best = best is None or set(best.cards) == set(item.chosen) or item.verdict == "best"
    return Line(
        item=item,
        name=names[item.seat],
        verdict=str(words.VERDICTS[item.verdict]),
        reason=words.reason(item),
        chosen=words.names_of(item.chosen),
        best="" if is_best or best is None else words.names_of(best.cards),
        held=words.names_of(tuple(sorted(view.cards))),
        pile=words.names_of(tuple(card for _, card in view.pile)),
        count=view.count,
        starter="" if view.starter is None else words.names_of((view.starter,)),
        loss=words.loss(points_lost=item.points_lost, chance_lost=item.chance_lost),
        options=tuple(option_line(one, item) for one in item.options),
        hindsight=_hindsight(item),
        replay=replay_address(match, item),
        helper=helper_address(view) if item.action == "discard" else "",
    )


def option_line(one: Option, item: Item) -> OptionLine:
    """Return a choice for the table."""
    return OptionLine(
        cards=words.names_of(one.cards),
        points=words.points(one.points),
        form=decimal_form(one.points),
        chance=words.percent(one.chance),
        hand="" if one.hand is None else words.points(one.hand),
        crib="" if one.crib is None else words.points(one.crib),
        pegging="" if one.pegging is None else words.points(one.pegging),
        chosen=set(one.cards) == set(item.chosen),
    )


def replay_address(match: Match, item: Item) -> str:
    """Return the address of the position before a decision."""
    where = [match.public_id, item.game, item.hand, item.sequence]
    return reverse("games:replay_step", args=where)


def helper_address(view: View) -> str:
    """Return the address of the discard helper with this question, or "" if unsupported."""
    seat, players = view.seat or 0, view.ruleset.players
    is_dealer = seat == view.dealer
    if players == 3 and not is_dealer and three.role_of(seat, view.dealer or 0):
        return ""
    scores = [view.scores[(seat + step) % players] for step in range(players)]
    asked = {
        "cards": words.names_of(tuple(sorted(view.cards))),
        "role": "dealer" if is_dealer else "pone",
        **dict(zip(("own", "other", "third"), map(str, scores), strict=False)),
    }
    if view.ruleset.target != 121:
        asked["target"] = str(view.ruleset.target)
    return f"{reverse('games:discards')}?{urlencode(asked)}"


def _hindsight(item: Item) -> str:
    found = item.hindsight
    if found is None:
        return ""
    if set(found.cards) == set(item.chosen):
        return _("also best with all cards known.")
    values = {
        "cards": " ".join(map(card_svg.plain, found.cards)),
        "chance": words.percent(found.chance),
        "own": words.percent(found.own_chance),
    }
    text = _("with all cards known, %(cards)s would have won %(chance)s, not %(own)s.")
    if found.points is not None and found.own_points is not None:
        own_points = words.whole(found.own_points)
        values |= {"points": words.whole(found.points), "own_points": own_points}
        text = _(
            "with all cards known, %(cards)s would have won %(chance)s, not %(own)s (%(points)s "
            "points in hand and crib, not %(own_points)s)."
        )
    return text % values


def hands(
    replay: Replay, items: Sequence[Item], *, names: Sequence[str], match: Match, game: int
) -> Iterator[HandLines]:
    """Yield the hands of a game with the decisions among ``items``."""
    for hand in replay.hands:
        own = [item for item in items if (item.game, item.hand) == (hand.game, hand.number)]
        if hand.game != game or not own:
            continue
        yield HandLines(
            hand=hand,
            dealer=names[hand.dealer],
            scores=" : ".join(map(str, replay.state(hand.deal - 1).scores)),
            replay=reverse("games:replay_hand", args=[match.public_id, hand.game, hand.number]),
            lines=tuple(
                decision(
                    item,
                    view_for(replay.state(item.sequence), item.seat),
                    names=names,
                    match=match,
                )
                for item in own
                if not item.forced
            ),
            forced=sum(item.forced for item in own),
        )


def mistakes(
    replay: Replay, items: Sequence[Item], *, names: Sequence[str], match: Match, game: int
) -> list[Mistake]:
    """Return the costliest wrong decisions of a game, up to `MISTAKES`, the worst first."""
    found = sorted(
        (item for item in items if item.game == game and item.verdict in WRONG and item.options),
        key=lambda item: (-item.chance_lost, item.sequence),
    )
    cards = []
    for item in found[:MISTAKES]:
        view = view_for(replay.state(item.sequence), item.seat)
        line = decision(item, view, names=names, match=match)
        done = next((one for one in line.options if one.chosen), None)
        if done is not None:
            cards.append(Mistake(line, done, line.options[0]))
    return cards


def wanted(items: Sequence[Item], *, seat: int | None, wrong: bool) -> list[Item]:
    """Return the items of a seat (None: all seats), or only the wrong ones."""
    return [
        item
        for item in items
        if (seat is None or item.seat == seat) and (not wrong or item.verdict in WRONG)
    ]


def summary_rows(found: Sequence[Summary]) -> list[Row]:
    """Return accuracy, verdicts and losses of each seat."""
    shares = ["–" if one.accuracy is None else words.percent(one.accuracy / 100) for one in found]
    return [
        Row(_("Accuracy"), tuple(shares), strong=True),
        *(
            Row(
                str(words.VERDICTS[verdict]),
                tuple(str(one.verdicts[verdict]) for one in found),
                verdict,
            )
            for verdict in VERDICTS
        ),
        Row(
            _("Points, against the best choices"),
            tuple(words.lost(one.points, words.points) for one in found),
        ),
        Row(
            _("Chance to win, against the best choices"),
            tuple(words.lost(one.chance, words.percent) for one in found),
        ),
    ]


def part_rows(found: Sequence[Summary]) -> list[Row]:
    """Return the points that each seat lost by kind of decision, and the number of decisions."""
    return [
        Row(
            str(words.PARTS[part]),
            tuple(
                _("%(points)s over %(number)d")
                % {
                    "points": words.lost(one.parts[part].points, words.points),
                    "number": one.parts[part].decisions,
                }
                for one in found
            ),
        )
        for part in PARTS
    ]


def account_rows(account: GameAccount, *, claimed: bool = False) -> list[Row]:
    """Return each seat's chance to win as parts that sum to the result.

    ``claimed``: whether the win was claimed from the loser, rather than resigned.
    """
    seats = range(len(account.start))
    labels = [_("At the start"), _("Deals"), _("Starters"), _("Own choices")]
    labels.append(_("Opponent's choices") if len(seats) == 2 else _("Opponents' choices"))
    gave_up = bool(account.shifts) and account.shifts[-1].kind == "resign"
    if gave_up:
        labels.append(_("Win claimed") if claimed else _("Resigning"))
    columns = []
    for seat in seats:
        others = sum(account.skill(seat, by) for by in seats if by != seat)
        parts = [
            account.start[seat],
            account.moved(seat, "deal"),
            account.moved(seat, "starter"),
            account.skill(seat, seat),
            others,
            *([account.resigned(seat)] if gave_up else []),
        ]
        columns.append(_rounded(parts, account.end[seat]))
    rows = [Row(labels[0], tuple(words.percent(column[0]) for column in columns))]
    rows += [
        Row(label, tuple(words.signed(column[at]) for column in columns))
        for at, label in enumerate(labels)
        if at
    ]
    return [*rows, Row(_("Result"), tuple(map(words.percent, account.end)), strong=True)]


def _rounded(parts: Sequence[float], total: float) -> list[float]:
    """Return chances rounded to 0.1 percent so that the rounded parts add up to the rounded total.

    The values with the largest rounding errors are adjusted.
    """
    shown = [round(1000 * part) for part in parts]
    left = round(1000 * total) - sum(shown)
    step = 1 if left > 0 else -1
    by_error = sorted(range(len(parts)), key=lambda at: step * (shown[at] - 1000 * parts[at]))
    for at in by_error[: abs(left)]:
        shown[at] += step
    return [part / 1000 for part in shown]
