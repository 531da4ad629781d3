"""Collection of results: records a finished match in its standard game, and rates it."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from games.api import (
    Match,
    PlayedHand,
    PlayedMatch,
    Player,
    Sharing,
    may_become_standard,
    played_match,
    sharing_of,
)
from ratings.models import Play, StandardGame
from ratings.rating import updates
from ratings.standard import catalogue, identities
from ratings.standard import decks as packing
from ratings.standard.play_records import record_result


def collect(*, match: int) -> Play | None:
    """Collect the result of a finished match (primary key); return its play, None if it has none.

    Idempotent. It also updates the ratings.
    """
    if not _has_play(match) and not _make_standard(match):
        return None
    with transaction.atomic():
        play = (
            Play.objects.select_for_update(of=("self",))
            .select_related("standard_game__decks")
            .get(match_id=match)
        )
        if play.finished_at is None:
            if not record_result(play=play):
                return None
            game = StandardGame.objects.select_for_update().get(pk=play.standard_game_id)
            catalogue.count_play(game=game)
    updates.rate_pending(seats=play.standard_game.seats)
    return play


def collect_missed() -> int:
    """Collect results that a crashed process left behind; return how many."""
    missed = Match.objects.filter(
        status=Match.Status.FINISHED,
        standard_play__isnull=False,
        standard_play__finished_at__isnull=True,
    ).values_list("pk", flat=True)
    found = list(missed)
    for match in found:
        collect(match=match)
    return len(found)


def _has_play(match: int) -> bool:
    return Play.objects.filter(match_id=match).exists()


def _make_standard(match: int) -> bool:
    """Make a new standard game from an ordinary match that people played to its end."""
    played = played_match(pk=match)
    if played is None or not _may_become_standard(played):
        return False
    shift = played.state.hands[0].dealer
    seats = played.ruleset.players
    players = [played.seats[(place + shift) % seats].player for place in range(seats)]
    people = [player for player in players if player is not None]
    chosen = "" if played.match.listed else Play.Exclusion.CHOSEN
    try:
        with transaction.atomic():
            packs = [_pack(hand) for hand in played.state.hands]
            packs += packing.new_packs(packing.HANDS - len(packs))
            game = catalogue.make(seats=seats, packs=packs)
            catalogue.reserve(
                game=game, players=people, kind=Play.Kind.LIVE, match=played.match, exclusion=chosen
            )
    except IntegrityError:
        return _has_play(match)  # another process was first
    return True


def _may_become_standard(played: PlayedMatch) -> bool:
    """Whether a match was an ordinary game among people who let others have its cards."""
    rules, match = played.ruleset, played.match
    people = all(
        row.player is not None and not row.computer and not row.substituted for row in played.seats
    )
    kind = may_become_standard(match, rules)
    consent = sharing_of(match, _people(played)) != Sharing.NEVER
    to_the_end = match.ended_by == Match.EndedBy.PLAYED
    distinct = len(identities.with_linked(_people(played))) >= rules.players
    return people and kind and consent and to_the_end and distinct


def _people(played: PlayedMatch) -> list[Player]:
    return [row.player for row in played.seats if row.player is not None]


def _pack(hand: PlayedHand) -> str:
    """Return the pack that a hand was dealt from; unknown cards are in random order."""
    seats = hand.players
    cards = [
        hand.dealt[(hand.pone + place) % seats][number]
        for number in range(len(hand.dealt[0]))
        for place in range(seats)
    ]
    if hand.crib_card is not None:
        cards.append(hand.crib_card)
    if hand.starter is not None:
        cards.append(hand.starter)
    return packing.complete_pack(cards)
