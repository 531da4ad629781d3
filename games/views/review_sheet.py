"""A review as its page shows it: decisions hand by hand, sums, luck and skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from games import faces
from games.analysis import three
from games.analysis.review import Item, Option
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import PARTS, VERDICTS, WRONG, Summary, Verdict
from games.engine.view import View, view_for
from games.models import Match
from games.replays import HandSteps, Replay
from games.views import review_words as words


@dataclass(frozen=True, slots=True)
class OptionLine:
    """One choice in a table: cards and numbers as text; throws alone have the parts."""

    cards: str
    points: str
    chance: str
    hand: str
    crib: str
    pegging: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One decision: who, what, how good, what else there was.

    Attributes:
        item: the judgement.
        name: who decided.
        verdict: in words.
        chosen, best: cards as "5H TD"; best is "" where that was it.
        held: the cards that could be thrown or played from.
        pile, count, starter: what lay there.
        points, chance: what was lost, "" for nothing.
        options: the choices.
        hindsight: with all cards open, in a sentence; "" where there is nothing to tell.
        replay: address of the step before the decision.
        helper: address of the discard helper with this question, or "".
    """

    item: Item
    name: str
    verdict: str
    chosen: str
    best: str
    held: str
    pile: str
    count: int
    starter: str
    points: str
    chance: str
    options: tuple[OptionLine, ...]
    hindsight: str
    replay: str
    helper: str

    @property
    def throws(self) -> bool:
        """Whether it was a throw, and not a card played."""
        return self.item.action == "discard"


@dataclass(frozen=True, slots=True)
class HandLines:
    """The decisions of one hand; ``scores`` are those before it, ``forced`` were no decisions."""

    hand: HandSteps
    dealer: str
    scores: str
    replay: str
    lines: tuple[Line, ...]
    forced: int


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """One seat's sums: accuracy in percent, verdicts in their order, losses, each kind of part."""

    name: str
    accuracy: str
    verdicts: tuple[int, ...]
    points: str
    chance: str
    parts: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class AccountLine:
    """How a game went for one seat: parts in percent, as text, that sum to the result."""

    name: str
    start: str
    deals: str
    starters: str
    own: str
    others: str
    resigned: str
    end: str


def decision(item: Item, view: View, *, names: Sequence[str], match: Match) -> Line:
    """Return one decision as shown, from the view of its seat at that time."""
    best = item.best
    is_best = best is None or set(best.cards) == set(item.chosen) or item.verdict == "best"
    lost = item.chance_lost or item.points_lost
    return Line(
        item=item,
        name=names[item.seat],
        verdict=str(words.VERDICTS[item.verdict]),
        chosen=words.names_of(item.chosen),
        best="" if is_best or best is None else words.names_of(best.cards),
        held=words.names_of(tuple(sorted(view.cards))),
        pile=words.names_of(tuple(card for _, card in view.pile)),
        count=view.count,
        starter="" if view.starter is None else words.names_of((view.starter,)),
        points=words.lost(item.points_lost, words.points) if lost else "",
        chance=words.lost(item.chance_lost, words.percent) if lost else "",
        options=tuple(option_line(one, item) for one in item.options),
        hindsight=_hindsight(item),
        replay=replay_address(match, item),
        helper=helper_address(view) if item.action == "discard" else "",
    )


def option_line(one: Option, item: Item) -> OptionLine:
    """Return a choice as a table shows it."""
    return OptionLine(
        cards=words.names_of(one.cards),
        points=words.points(one.points),
        chance=words.percent(one.chance),
        hand="" if one.hand is None else words.points(one.hand),
        crib="" if one.crib is None else words.points(one.crib),
        pegging="" if one.pegging is None else words.points(one.pegging),
        chosen=set(one.cards) == set(item.chosen),
    )


def replay_address(match: Match, item: Item) -> str:
    """Return the address of the position in which a decision was taken."""
    where = [match.public_id, item.game, item.hand, item.sequence]
    return reverse("games:replay_step", args=where)


def helper_address(view: View) -> str:
    """Return the address of the discard helper with this question; "" where it cannot be asked."""
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
    seen = item.hindsight
    if seen is None:
        return ""
    if set(seen.cards) == set(item.chosen):
        return _("it was the best with the cards as they really lay, too.")
    told = {
        "cards": " ".join(map(faces.plain, seen.cards)),
        "chance": words.percent(seen.chance),
        "own": words.percent(seen.own_chance),
    }
    text = _("with the cards as they really lay, %(cards)s would have won %(chance)s, not %(own)s.")
    if seen.points is not None and seen.own_points is not None:
        told |= {"points": str(seen.points), "own_points": str(seen.own_points)}
        text = _(
            "with the cards as they really lay, %(cards)s would have won %(chance)s, not %(own)s;"
            " hand and crib came to %(points)s points instead of %(own_points)s."
        )
    return text % told


def hands(
    replay: Replay, items: Sequence[Item], *, names: Sequence[str], match: Match, game: int
) -> Iterator[HandLines]:
    """Yield the hands of a game with those decisions of ``items`` that were any."""
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


def wanted(items: Sequence[Item], *, seat: int | None, wrong: bool) -> list[Item]:
    """Return the items of a seat (None: of all), all of them or only those that lost much."""
    return [
        item
        for item in items
        if (seat is None or item.seat == seat) and (not wrong or item.verdict in WRONG)
    ]


def summary_lines(found: Sequence[Summary], names: Sequence[str]) -> list[SummaryLine]:
    """Return the sums of each seat."""
    return [
        SummaryLine(
            name=names[one.seat],
            accuracy="–" if one.accuracy is None else words.percent(one.accuracy / 100),
            verdicts=tuple(one.verdicts[verdict] for verdict in VERDICTS),
            points=words.lost(one.points, words.points),
            chance=words.lost(one.chance, words.percent),
            parts=tuple(
                (
                    one.parts[part].decisions,
                    words.lost(one.parts[part].points, words.points),
                    words.lost(one.parts[part].chance, words.percent),
                )
                for part in PARTS
            ),
        )
        for one in found
    ]


def verdict_names() -> list[tuple[Verdict, str]]:
    """Return each verdict with its name, the best first."""
    return [(verdict, str(words.VERDICTS[verdict])) for verdict in VERDICTS]


def part_names() -> list[str]:
    """Return what the kinds of decisions are called, in their order."""
    return [str(words.PARTS[part]) for part in PARTS]


def account_lines(account: GameAccount, names: Sequence[str]) -> list[AccountLine]:
    """Return how a game went for each seat; a column of each seat sums to its result."""
    seats = range(len(names))
    return [
        AccountLine(
            name=names[seat],
            start=words.percent(account.start[seat]),
            deals=words.signed(account.moved(seat, "deal")),
            starters=words.signed(account.moved(seat, "starter")),
            own=words.signed(account.skill(seat, seat)),
            others=words.signed(sum(account.skill(seat, by) for by in seats if by != seat)),
            resigned=words.signed(account.resigned(seat)) if _resigned(account) else "",
            end=words.percent(account.end[seat]),
        )
        for seat in seats
    ]


def _resigned(account: GameAccount) -> bool:
    return bool(account.shifts) and account.shifts[-1].kind == "resign"
