"""Schemas of the API. Cards are names ("5H TD"), times are UTC, points are game points."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal

from ninja import Field, Schema
from pydantic import BeforeValidator
from pydantic.config import JsonDict

from games.engine.cards import SUIT_SIGNS
from games.models.ids import ALPHABET, PUBLIC_ID_LENGTH
from games.pages.learn.forms import MAX_TEXT
from games.text.typed_cards import UNSEEN

NO_NUL = r"^[^\x00]*$"
"""Pattern of text without NUL characters, which PostgreSQL cannot store."""

ID: JsonDict = {
    "pattern": f"^([{ALPHABET}]{{{PUBLIC_ID_LENGTH}}})?$",
    "maxLength": PUBLIC_ID_LENGTH,
}
CARDS: JsonDict = {
    "pattern": rf"^[0-9AaTtJjQqKkCcDdHhSs{''.join(SUIT_SIGNS.values())}{UNSEEN},;\s]*$",
    "maxLength": MAX_TEXT,
}
"""Constraints on ids and cards in the API description. Other text is refused and quoted."""


def _day(value: object) -> object:
    """Pass on a day as text; pydantic would also take the seconds since 1970."""
    if isinstance(value, str) and value.count("-") != 2:
        raise ValueError("enter a day as 2026-11-21")
    return value


Day = Annotated[date, BeforeValidator(_day)]
"""A day, as 2026-11-21."""


class Error(Schema):
    """An error."""

    error: str = Field(description="A short code for programs.")
    detail: str = Field(description="A sentence for people.")


class MatchesIn(Schema):
    """Filters of the caller's matches; without filters, all."""

    opponent: str = Field(
        "",
        max_length=20,
        pattern=NO_NUL,
        description="Id of an opponent.",
        json_schema_extra=ID,
    )
    name: str = Field("", max_length=40, pattern=NO_NUL, description="Part of an opponent's name.")
    seats: int | None = Field(None, ge=2, le=3, description="2 or 3.")
    kind: Literal["casual", "ranked", "imported", "branch", "duplicate", "lesson"] | None = Field(
        None, description="Kind of match."
    )
    computer: bool | None = Field(
        None, description="true: against computers; false: against people only."
    )
    result: Literal["won", "lost", "drawn"] | None = Field(
        None, description="Result; drawn: no winner."
    )
    skunk: Literal["given", "taken"] | None = Field(
        None, description="given: games won by a skunk; taken: games lost by one."
    )
    since: Day | None = Field(None, description="Finished on this day or later.")
    until: Day | None = Field(None, description="Finished on this day or earlier.")
    standard: int | None = Field(None, ge=1, le=2**31, description="Number of a standard game.")
    after: str = Field("", description="`next` of the previous page.")
    limit: int = Field(50, ge=1, le=200, description="Matches per page, up to 200.")


class CountIn(Schema):
    """A hand or a crib to count."""

    cards: str = Field(
        description="Four cards, then the starter: 5H 5C 5S JD 5D.", json_schema_extra=CARDS
    )
    crib: bool = Field(False, description="Count it as a crib.")


class ThrowsIn(Schema):
    """Cards to discard from, and the state of the game."""

    cards: str = Field(
        description="Six cards, or five with three players.", json_schema_extra=CARDS
    )
    role: str = Field("dealer", description="dealer or pone.")
    own: int | None = Field(None, description="Your score. Send every player's score, or none.")
    other: int | None = Field(None, description="The next player's score.")
    third: int | None = Field(None, description="The third player's score.")
    target: int = Field(121, description="121 or 61.")


class SeatOut(Schema):
    """One seat of a match. Results are null until it is over."""

    seat: int
    id: str | None = Field(
        description="Null while the seat is empty, and for a name in an imported game."
    )
    name: str | None
    kind: str | None = Field(description="person, guest, computer or deleted.")
    score: int | None = Field(description="Points in the last game.")
    games_won: int
    match_points: int
    won: bool | None


class MatchOut(Schema):
    """A match without its cards."""

    id: str
    status: str = Field(description="waiting, playing, finished or abandoned.")
    ended_by: str = Field(description="played, resigned or abandoned; empty until it is over.")
    ranked: bool
    imported: bool
    rules: dict[str, Any]
    own_seat: int | None = Field(description="The caller's seat.")
    seats: list[SeatOut]
    made_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class TotalsOut(Schema):
    """Totals of matches; `margin` is in points per game, null without a match."""

    matches: int
    won: int
    lost: int
    skunks: int = Field(description="Games won by a skunk.")
    skunked: int = Field(description="Games lost by a skunk.")
    margin: float | None


class MatchesOut(Schema):
    """Matches, newest first; the totals of all come with the first page."""

    matches: list[MatchOut]
    totals: TotalsOut | None
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class HandSeatOut(Schema):
    """One seat in a hand. Cards and points that the caller may not see are null."""

    seat: int
    dealt: str | None
    thrown: str | None
    pegging: int | None
    hand: int | None = Field(description="Points of the hand; null if it was not counted.")
    crib: int | None = Field(description="Points of the crib; null for a pone.")
    muggins: int | None
    score_before: int
    score_after: int


class HandOut(Schema):
    """One hand of a match."""

    game: int = Field(description="From 1.")
    hand: int = Field(description="From 1 within its game.")
    dealer: int = Field(description="The dealer's seat.")
    starter: str | None
    crib: str | None
    plays: str | None = Field(description="Seat and card in order: 0:5H 1:TD.")
    seats: list[HandSeatOut]


class HandsOut(Schema):
    """The finished hands of a match, in order."""

    hands: list[HandOut]


class ReviewOut(Schema):
    """The review of a match."""

    version: int = Field(description="Version of the analysis.")
    made_at: datetime | None
    decisions: list[Any] = Field(description="Each decision judged, in order.")
    accounts: list[Any] = Field(description="Luck and skill in each game.")


class RatingOut(Schema):
    """A rating at one number of seats, Elo."""

    seats: int
    rating: float
    rd: float = Field(description="Uncertainty of the rating: one standard deviation, Elo.")
    provisional: bool
    results: int
    updated_at: datetime
    won: int
    lost: int


class RatingsOut(Schema):
    """Ratings by number of seats."""

    ratings: list[RatingOut]


class MetOut(Schema):
    """Results of the casual and ranked matches between two players, from the caller's side."""

    won: int
    lost: int
    undecided: int


class PlayerOut(Schema):
    """A player, as on their page."""

    id: str
    name: str
    kind: str
    private: bool = Field(description="A private page: ratings and results are null for others.")
    ratings: list[RatingOut] | None
    head_to_head: MetOut | None = Field(description="Null for the caller and for visitors.")


class PartOut(Schema):
    """One combination of a counted hand."""

    kind: str
    cards: str
    points: int


class CountOut(Schema):
    """The count of four cards and a starter."""

    points: int
    parts: list[PartOut]


class ThrowOut(Schema):
    """The value of a discard: averages in points; `chance` is the chance to win the game."""

    thrown: str
    kept: str
    hand: float
    lowest: int
    highest: int
    crib: float
    pegging: float
    total: float
    chance: float


class ThrowsOut(Schema):
    """All discards, best first."""

    throws: list[ThrowOut]
