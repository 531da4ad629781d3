"""One finished match's log, written into its play and attempts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import F
from django.utils import timezone

from games.api import NAMES, PlayedHand, PlayedMatch, played_match
from ratings.comparison import margin_when_left
from ratings.luck import starter_luck
from ratings.model.guards import PAIR_CAP
from ratings.models import Attempt, Play, Record

SKUNK = 91
"""Whoever has fewer points at the end is skunked."""


def fill_in(*, play: Play, played: PlayedMatch | None = None) -> bool:
    """Write what a match's log says into its play and attempts; False while it goes on.

    To be called in the transaction that holds the play. ``played``: the match, where its log need
    not be read again.
    """
    if played is None and play.match_id is not None:
        played = played_match(pk=play.match_id)
    if played is None:
        return False
    attempts = list(play.attempts.select_related("player").order_by("seat"))
    shift = played.state.hands[0].dealer
    seats = [(attempt.seat + shift) % len(attempts) for attempt in attempts]
    after = _scores_after(played)
    final = _relative(after[-1])
    for attempt, seat in zip(attempts, seats, strict=True):
        row = played.seats[seat]
        attempt.score, attempt.margin = after[-1][seat], final[seat]
        attempt.counted = attempt.margin
        attempt.hands = [
            _hand(hand, seat, before, scores)
            for hand, before, scores in zip(
                played.state.hands, _scores_before(after), after, strict=True
            )
        ]
        attempt.hands_seen = len(attempt.hands)
        attempt.ended = _ended(row.left_at, timed_out=row.timed_out)
        attempt.won = played.state.winner == seat
    _apply_leaving(play, played, attempts, seats, after)
    if not play.exclusion:
        play.exclusion = _exclusion(play, played, attempts)
    play.finished_at = played.match.finished_at or timezone.now()
    Attempt.objects.bulk_update(
        attempts,
        ["score", "margin", "counted", "hands", "hands_seen", "ended", "won"],
    )
    play.save(update_fields=["finished_at", "exclusion"])
    _count_record(play, attempts)
    return True


def _scores_after(played: PlayedMatch) -> list[tuple[int, ...]]:
    """Return the scores after each hand."""
    hands = played.state.hands
    return [*(hand.before for hand in hands[1:]), played.state.results[0].scores]


def _scores_before(after: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    return [(0,) * len(after[0]), *after[:-1]]


def _relative(scores: Sequence[float]) -> list[float]:
    """Return each seat's points less the mean of the others'."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]


def _hand(
    hand: PlayedHand, seat: int, before: Sequence[int], after: Sequence[int]
) -> dict[str, Any]:
    """Return what one seat made of one hand: see `Attempt.hands`."""
    gained = [later - earlier for earlier, later in zip(before, after, strict=True)]
    luck = None
    if hand.starter is not None:
        luck = round(starter_luck(hand.kept(seat), hand.dealt[seat], hand.starter), 2)
    return {
        "net": round(_relative(gained)[seat], 2),
        "after": after[seat],
        "thrown": " ".join(NAMES[card] for card in sorted(hand.discards[seat])),
        "pegged": hand.pegged[seat],
        "counted": hand.shown[seat],
        "crib": hand.crib_points if seat == hand.dealer else None,
        "luck": luck,
    }


def _ended(left_at: int | None, *, timed_out: bool) -> str:
    if left_at is None:
        return Attempt.Ended.PLAYED
    return Attempt.Ended.TIMED_OUT if timed_out else Attempt.Ended.LEFT


def _apply_leaving(
    play: Play,
    played: PlayedMatch,
    attempts: Sequence[Attempt],
    seats: Sequence[int],
    after: Sequence[tuple[int, ...]],
) -> None:
    """Let the margin of a game that somebody left be what it was, and what others made of the rest.

    The loss is his; with two seats the other one has won.
    """
    gone = [row.left_at for row in played.seats if row.left_at is not None]
    if not gone:
        return
    first = min(gone)
    whole = played.whole_hands[first - 1] if first else 0
    then = _relative(after[whole - 1]) if whole else [0.0] * len(seats)
    rests = _rests(play, whole)
    for attempt, seat in zip(attempts, seats, strict=True):
        attempt.counted = margin_when_left(then[seat], [rest[attempt.seat] for rest in rests])
        if attempt.ended != Attempt.Ended.PLAYED:
            attempt.won = False
            attempt.hands_seen = min(attempt.hands_seen, whole + 1)
        elif len(seats) == 2:
            attempt.won = True


def _rests(play: Play, whole: int) -> list[list[float]]:
    """Return for each other play of the game each seat's margin from the hands after ``whole``."""
    rows = Attempt.objects.filter(
        standard_game_id=play.standard_game_id, play__finished_at__isnull=False
    ).exclude(play=play)
    by_play: dict[int, list[Attempt]] = {}
    for row in rows.exclude(ended__in=[Attempt.Ended.LEFT, Attempt.Ended.TIMED_OUT]).order_by(
        "play_id", "seat"
    ):
        by_play.setdefault(row.play_id, []).append(row)
    return [
        [sum(float(hand["net"]) for hand in row.hands[whole:]) for row in seats]
        for seats in by_play.values()
        if len(seats) == play.standard_game.seats
    ]


def _exclusion(play: Play, played: PlayedMatch, attempts: Sequence[Attempt]) -> str:
    """Return why a play does not count, or ""."""
    if len(played.state.hands) > len(play.standard_game.decks.packs):
        return Play.Exclusion.PACKS
    if not all(attempt.first for attempt in attempts if not attempt.computer):
        return Play.Exclusion.PRACTICE
    moment = played.match.finished_at or timezone.now()
    if not any(attempt.computer for attempt in attempts) and _met(attempts, moment) >= PAIR_CAP:
        return Play.Exclusion.PAIR_CAP
    return Play.Exclusion.NONE


def _met(attempts: Sequence[Attempt], moment: datetime) -> int:
    """Return how many counted plays these same people have had in this month."""
    rows = Play.objects.filter(
        finished_at__year=moment.year,
        finished_at__month=moment.month,
        exclusion=Play.Exclusion.NONE,
        standard_game__seats=len(attempts),
    )
    for attempt in attempts:
        rows = rows.filter(attempts__player=attempt.player_id)
    return rows.exclude(pk=attempts[0].play_id).count()


def _count_record(play: Play, attempts: Sequence[Attempt]) -> None:
    """Add to the record of wins and losses, which nothing ever changes afterwards."""
    if play.kind not in {Play.Kind.RANKED, Play.Kind.DAILY}:
        return
    if play.exclusion == Play.Exclusion.PRACTICE:
        return
    seats = len(attempts)
    lowest = min(attempt.score or 0 for attempt in attempts)
    for attempt in attempts:
        record, _ = Record.objects.get_or_create(player=attempt.player, seats=seats)
        gains = {
            "won": int(attempt.won is True),
            "lost": int(attempt.won is False),
            "skunks": int(attempt.won is True and lowest < SKUNK),
            "skunked": int(attempt.won is False and (attempt.score or 0) < SKUNK),
        }
        Record.objects.filter(pk=record.pk).update(
            **{name: F(name) + gain for name, gain in gains.items()}
        )
