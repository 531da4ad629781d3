"""Duplicate matches: the same deals with the seats swapped, which count for no statistics."""

from __future__ import annotations

import random

import pytest
from django.utils import timezone

from games.archive import profile
from games.archive.measuring import measure
from games.engine import rules
from games.engine.moves import Chance, Move, parse_move, to_text
from games.engine.state import Phase, Ruleset, State
from games.live.dealing import draw
from games.log import match_meta, store, summaries
from games.log.store import Entry
from games.models import Decks, Match, Player, Seat, Streak, Tally
from games.tables.duplicates import make_duplicate
from games.tables.ranked import begin_ranked
from games.tables.rematches import make_rematch
from games.wire.refusals import Refused
from tests.support.people import Wire, make_match, run
from tests.support.positions import decision

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


def fold(match: Match) -> State:
    log = store.load([(match.pk, 0)])[match.pk]
    moves = (parse_move(entry.text) for entry in log)
    return rules.fold(Ruleset.from_dict(match.ruleset), moves)


def play(match: Match, *, moves: int = 10_000) -> None:
    """Play a match at random, dealing from its packs if it has any."""
    ruleset, rng = Ruleset.from_dict(match.ruleset), random.Random(7)
    packs = [] if match.decks is None else match.decks.packs
    state, now = rules.start(ruleset), timezone.now()
    entries: list[Entry] = []
    changes: list[summaries.Effects | None] = []
    while state.phase is not Phase.OVER and len(entries) < moves:
        move: Move = draw(state, packs) or decision(state, rng)
        step = rules.apply(state, move)
        seat = None if isinstance(move, Chance) else move.seat
        entries.append(Entry(match.pk, len(entries), seat, to_text(move), "", now))
        changes.append(summaries.effects(match.pk, state, step.state, now))
        state = step.state
    store.write_all(entries)
    summaries.write([change for change in changes if change is not None])


def played_match(**wishes: int) -> tuple[Match, list[Player]]:
    match, people = make_match(**wishes)
    play(match)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    return match, people


def test_hands_are_swapped_between_the_players_and_starters_stay() -> None:
    match, (ann, bob) = played_match()
    following = make_duplicate(match=match)
    assert [seat.player for seat in following.seats.order_by("seat")] == [bob, ann]
    play(following)
    first, second = fold(match), fold(following)
    both = list(zip(first.hands, second.hands, strict=False))
    assert len(both) > 3
    for one, other in both:
        assert (other.dealer, other.dealt) == (one.dealer, one.dealt)
        if one.starter is not None and other.starter is not None:
            assert other.starter == one.starter
    assert second.phase is Phase.OVER, "it continues with random deals beyond the end of the first"


def test_a_resigned_match_includes_its_last_deal() -> None:
    match, _people = make_match()
    play(match, moves=12)
    state = fold(match)
    assert state.hand is not None
    Match.objects.filter(pk=match.pk).update(status="finished", ended_by="resigned")
    following = make_duplicate(match=match)
    packs = following.decks.packs if following.decks is not None else []
    assert len(packs) == len(state.hands) + 1
    for pack in packs:
        assert len(set(pack.split())) == 52


def test_a_duplicate_is_made_once_and_its_rematch_is_a_new_game() -> None:
    match, people = played_match()
    following = make_duplicate(match=match)
    assert make_duplicate(match=match) == make_rematch(match=match) == following
    assert following.duplicate_of == match
    play(following)
    third = make_rematch(match=Match.objects.get(pk=following.pk))
    assert (third.duplicate_of, third.decks, third.ruleset["first_dealer"]) == (None, None, None)
    assert [seat.player for seat in third.seats.order_by("seat")] == people[::-1]


def test_swapping_twice_gives_the_original_deals() -> None:
    match, people = played_match()
    second = make_duplicate(match=match)
    play(second)
    third = make_duplicate(match=Match.objects.get(pk=second.pk))
    assert [seat.player for seat in third.seats.order_by("seat")] == people
    play(third)
    shared = zip(fold(match).hands, fold(third).hands, strict=False)
    assert all(one.dealt == other.dealt for one, other in shared)


def test_a_duplicate_counts_for_no_records_averages_or_streaks() -> None:
    match, (ann, bob) = played_match()
    measure(match=match.pk)
    tallies, streaks = list(Tally.objects.values()), list(Streak.objects.values())
    records = [profile.records_by_opponent(player=player) for player in (ann, bob)]
    following = make_duplicate(match=match)
    play(following)
    measure(match=following.pk)
    assert set(following.seats.values_list("kind", flat=True)) == {Seat.Kind.DUPLICATE}
    assert (list(Tally.objects.values()), list(Streak.objects.values())) == (tallies, streaks)
    assert [profile.records_by_opponent(player=player) for player in (ann, bob)] == records
    assert not following.seats.filter(best_hand__isnull=False).exists()


@pytest.mark.parametrize("what", ["ranked", "written", "three", "games", "branch", "running"])
def test_a_duplicate_is_refused_if_the_cards_are_in_use_or_it_makes_no_sense(
    what: str,
) -> None:
    if what == "running":
        match, _ = make_match()
    elif what == "ranked":
        _, people = make_match()
        match = begin_ranked(players=people, decks=Decks.objects.create(packs=[]), clock=None)
    else:
        match, _ = make_match(
            players=3 if what == "three" else 2, games=3 if what == "games" else 1
        )
    if what == "written":
        match.decks = Decks.objects.create(packs=[])
    if what == "branch":
        match.branch_of, match.branch_step = make_match()[0], 1
    if what != "running":
        match.status = Match.Status.FINISHED
    match.save()
    with pytest.raises(Refused, match="not_offered"):
        make_duplicate(match=match)
    if what != "running":
        assert not match.swappable


@pytest.mark.django_db(transaction=True)
def test_both_players_must_ask_for_swapped_seats() -> None:
    match, (ann, bob) = played_match()

    async def scenario() -> None:
        one, other = await Wire(match, ann).open(), await Wire(match, bob).open()
        await one.hear("table")
        one.send({"t": "rematch", "d": {"swap": True}, "id": "a-1"})
        other.send({"t": "rematch", "d": {}, "id": "b-1"})
        wanted = {
            "wanted": [1],
            "swapped": [0],
            "can_swap": True,
            "offered": True,
            "possible": True,
            "stalled": False,
            "match": None,
        }
        await one.hear("table", rematch=wanted)
        other.send({"t": "rematch", "d": {"swap": True}, "id": "b-2"})
        while (table := await one.hear("table"))["rematch"]["match"] is None:
            pass
        assert table["rematch"]["swapped"] == [0, 1]
        for wire in (one, other):
            await wire.hang_up()

    run(scenario())
    following = Match.objects.get(pk=match.pk).rematch
    assert following is not None
    assert following.duplicate_of_id == match.pk
    meta = match_meta.load(pk=following.pk)
    assert meta is not None
    assert meta.duplicate is not None
    first = [seat.score for seat in match.seats.order_by("seat")]
    assert (meta.duplicate.public_id, list(meta.duplicate.scores)) == (
        match.public_id,
        first[::-1],
    )


@pytest.mark.django_db(transaction=True)
def test_after_a_ranked_match_no_rematch_is_offered_and_none_can_be_asked_for() -> None:
    match, (ann, bob) = played_match()
    Match.objects.filter(pk=match.pk).update(ranked=True)

    async def scenario() -> None:
        one, other = await Wire(match, ann).open(), await Wire(match, bob).open()
        assert (await one.hear("table"))["rematch"]["offered"] is False
        one.send({"t": "rematch", "d": {}, "id": "a-1"})
        assert (await one.hear("error"))["code"] == "not_offered"
        for wire in (one, other):
            await wire.hang_up()

    run(scenario())
