"""Chart of the chance to win by step, with links to the steps, and the same data as a table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.analysis.review import Item
from games.analysis.review_luck import GameAccount
from games.analysis.review_verdicts import WRONG
from games.archive.replays import Replay
from games.log.claims import Claim
from games.models import Match
from games.pages.charts.drawing import Drawing
from games.pages.learn import review_words as words
from games.text.log_sentences import claim_text

LEVELS = (0.0, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class StepRow:
    """A row of the table: each seat's chance after a step, and its change."""

    names: tuple[str, ...]
    hand: int
    what: str
    who: str
    chances: tuple[str, ...]
    changes: tuple[str, ...]
    address: str

    @property
    def numbers(self) -> list[tuple[str, str, str]]:
        """Name, chance and change by seat."""
        return list(zip(self.names, self.chances, self.changes, strict=True))


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart of one game.

    Attributes:
        picture: the SVG, whose steps are links for pointers.
        says: what it shows, in a sentence.
        seats: the seats that have a line.
        rows: the same data and links for a table.
    """

    picture: SafeString
    says: str
    seats: tuple[int, ...]
    rows: tuple[StepRow, ...]


def chart(
    account: GameAccount,
    replay: Replay,
    items: Sequence[Item],
    *,
    names: Sequence[str],
    match: Match,
    side: int,
    listed: Collection[int] = (),
    claim: Claim | None = None,
) -> Chart:
    """Return the chart of one game; with two seats it has one line, of seat ``side``.

    ``listed`` has the sequence numbers of the decisions that stand on the page: their marks lead
    there. ``claim`` is why the win was claimed from the loser, if it was.
    """
    seats = (side,) if len(names) == 2 else tuple(range(len(names)))
    rows = tuple(_rows(account, replay, names, match, claim))
    drawing, steps = Drawing("chances"), max(1, len(account.shifts))
    for level in LEVELS:
        drawing.level(1 - level, words.percent(level, places=0))
    for at, shift in enumerate(account.shifts):
        if shift.kind == "deal":
            drawing.upright(at / steps)
            drawing.tick(at / steps, str(rows[at].hand), anchor="start")
    for seat in seats:
        chances = [account.start[seat], *(shift.after[seat] for shift in account.shifts)]
        drawing.line(
            [(at / steps, 1 - chance) for at, chance in enumerate(chances)], f"line-{seat}"
        )
    for at, row in enumerate(rows):
        drawing.link(at / steps, 1 / steps, address=row.address, title=_title(row, names))
    wrong = [each for each in items if each.verdict in WRONG and each.game == account.game]
    _draw_marks(drawing, account, wrong, seats=seats, listed=listed)
    return Chart(drawing.picture(""), _says(account, wrong, names, side), seats, rows)


def _draw_marks(
    drawing: Drawing,
    account: GameAccount,
    wrong: Sequence[Item],
    *,
    seats: Sequence[int],
    listed: Collection[int],
) -> None:
    """Draw a dot for each mistake and blunder on the line of its seat."""
    places = {shift.sequence: at for at, shift in enumerate(account.shifts)}
    for item in wrong:
        at = places.get(item.sequence)
        if at is None:
            continue
        line = item.seat if item.seat in seats else seats[0]
        drawing.dot(
            (at + 1) / len(account.shifts),
            1 - account.shifts[at].after[line],
            6 if item.verdict == "blunder" else 4.5,
            f"fault {item.verdict} line-{item.seat}",
            address=f"#d{item.sequence}" if item.sequence in listed else "",
        )


def _says(account: GameAccount, wrong: Sequence[Item], names: Sequence[str], side: int) -> str:
    chances = [account.start[side], *(shift.after[side] for shift in account.shifts)]
    return _(
        "%(name)s: chance to win %(low)s to %(high)s, at the end %(end)s. Mistakes and blunders: "
        "%(number)d."
    ) % {
        "name": names[side],
        "low": words.percent(min(chances)),
        "high": words.percent(max(chances)),
        "end": words.percent(chances[-1]),
        "number": len([item for item in wrong if item.seat == side]),
    }


def _rows(
    account: GameAccount,
    replay: Replay,
    names: Sequence[str],
    match: Match,
    claim: Claim | None,
) -> list[StepRow]:
    rows = []
    for shift in account.shifts:
        step = shift.sequence + 1
        hand = replay.hand_at(step)
        number = hand.number if hand else 0
        where = [match.public_id, account.game, number, step]
        changes = [after - before for before, after in zip(shift.before, shift.after, strict=True)]
        rows.append(
            StepRow(
                names=tuple(names),
                hand=number,
                what=claim_text(claim)
                if claim and shift.kind == "resign"
                else str(words.KINDS[shift.kind]),
                who="" if shift.seat is None else names[shift.seat],
                chances=tuple(words.percent(chance) for chance in shift.after),
                changes=tuple(words.signed(change) for change in changes),
                address=reverse("games:replay_step", args=where),
            )
        )
    return rows


def _title(row: StepRow, names: Sequence[str]) -> str:
    what = _("%(what)s: %(why)s") % {"what": row.who, "why": row.what} if row.who else row.what
    chances = ", ".join(f"{name} {chance}" for name, chance in zip(names, row.chances, strict=True))
    return f"{what} · {chances}"
