"""Recording of finished matches in their plays and attempts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import F

from games.api import NAMES, PlayedHand, PlayedMatch, played_match, true_now
from ratings.model.comparison import margin_when_left
from ratings.models import Attempt, Play, Record
from ratings.standard.exclusions import exclusion_of
from ratings.standard.luck import starter_luck

SKUNK = 91
"""A player with fewer points at the end is skunked."""


def record_result(*, play: Play, played: PlayedMatch | None = None) -> bool:
    """Write the result of a play's match to the play and its attempts; False if it is not over.

    Call it in the transaction that locks the play. ``played`` saves reading the log again.
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
    ended_at = played.match.finished_at or true_now()
    if not play.exclusion:
        play.exclusion = exclusion_of(
            play=play, hands=len(played.state.hands), attempts=attempts, ended_at=ended_at
        )
    play.finished_at = ended_at
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
    """Return each seat's points minus the mean of the others."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]


def _hand(
    hand: PlayedHand, seat: int, before: Sequence[int], after: Sequence[int]
) -> dict[str, Any]:
    """Return one seat's result of a hand, as in `Attempt.hands`."""
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
    """Set the margins that count if a player left (see `margin_when_left`).

    The player who left loses; with two seats the other one wins.
    """
    gone = [row.left_at for row in played.seats if row.left_at is not None]
    if not gone:
        return
    first = min(gone)
    whole = played.whole_hands[first - 1] if first else 0
    then = _relative(after[whole - 1]) if whole else [0.0] * len(seats)
    remaining = _remaining_margins(play, whole)
    for attempt, seat in zip(attempts, seats, strict=True):
        attempt.counted = margin_when_left(then[seat], [rest[attempt.seat] for rest in remaining])
        if attempt.ended != Attempt.Ended.PLAYED:
            attempt.won = False
            attempt.hands_seen = min(attempt.hands_seen, whole + 1)
        elif len(seats) == 2:
            attempt.won = True


def _remaining_margins(play: Play, whole: int) -> list[list[float]]:
    """Return each seat's margin in the hands after ``whole``, for each other play of the game."""
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


def _count_record(play: Play, attempts: Sequence[Attempt]) -> None:
    """Add the play to the win-loss records, which never change afterwards."""
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
