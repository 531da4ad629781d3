"""Branches: playing on from a position of a finished match."""

import random
from typing import Any

import pytest
from django.test import Client

from games.archive import replays
from games.archive.access import ALL_HANDS, hands_shown
from games.engine import rules
from games.engine.cards import NAMES
from games.engine.moves import Move, Starter, parse_move
from games.engine.state import Phase, Ruleset, State
from games.live import dealing
from games.log import store
from games.log.match_meta import load
from games.log.verify import differences
from games.models import Decks, Match, Player, Seat
from games.people.accounts import create_guest
from games.tables.branch import branch_match
from games.wire.refusals import Refused
from tests.support.people import make_match
from tests.support.played import play_on
from tests.support.positions import decision

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards")]


def played(**rules_: Any) -> tuple[Match, list[Player]]:
    match, people = make_match(**rules_)
    play_on(match.public_id)
    match.refresh_from_db()
    return match, people


def log_of(match: Match) -> list[Move]:
    return [parse_move(entry.text) for entry in store.whole(match.pk)]


def folded(match: Match) -> State:
    return rules.fold(Ruleset.from_dict(match.ruleset), log_of(match))


def branched(match: Match, player: Player, step: int, seat: int = 0) -> Match:
    return branch_match(
        match=match, player=player, hands=ALL_HANDS, step=step, seat=seat, level="poppy"
    )


def kept_by_branch(state: State) -> tuple[Any, ...]:
    """Return the parts of a state that a branch keeps."""
    hand = state.hand
    assert hand is not None
    return (
        state.scores,
        state.phase,
        state.count,
        hand.held,
        hand.dealt,
        hand.discards,
        state.turn,
    )


@pytest.mark.parametrize("rules_", [{}, {"players": 3}, {"games": 3, "target": 61}])
def test_a_branch_starts_from_the_chosen_position(rules_: dict[str, Any]) -> None:
    match, people = played(**rules_)
    source = replays.load(match)
    for hand in (source.hands[0], source.hands[-1]):
        for step in (hand.deal, hand.deal + 1, hand.last - 2):
            made = branched(match, people[1], step, seat=1)
            assert kept_by_branch(folded(made)) == kept_by_branch(source.state(step))
            assert made.ruleset["games"] == 1
            assert (made.branch_of, made.branch_step) == (match, step)
            assert not list(differences(made))


def test_the_player_gets_the_chosen_seat_and_computers_the_others() -> None:
    match, people = played(players=3)
    made = branched(match, people[0], 5, seat=2)
    seats = made.seats.order_by("seat")
    assert [row.computer for row in seats] == [True, True, False]
    assert seats[2].player == people[0]
    assert {row.player.bot for row in seats[:2] if row.player} == {"poppy"}


def test_the_hand_keeps_its_starter_and_later_hands_are_random() -> None:
    match, people = played(first_dealer=0)
    source = replays.load(match)
    hand = source.hand(1, 2)
    assert hand is not None
    starter = next(
        move.card for move in source.moves[hand.deal : hand.last] if isinstance(move, Starter)
    )
    made = branched(match, people[0], hand.deal)
    meta = load(pk=made.pk)
    assert meta is not None
    rng = random.Random(3)
    state = folded(made)
    deals = 0
    while deals == 0 and state.phase is not Phase.OVER:
        move = dealing.draw(state, meta.packs)
        if isinstance(move, Starter):
            assert NAMES[move.card] == NAMES[starter]
        deals += rules.chance(state) == "deal"
        state = rules.apply(state, move or decision(state, rng)).state
    assert deals == 1
    third = source.hand(1, 3)
    assert third is not None
    was = source.state(third.deal).hand
    assert state.hand is not None
    assert was is not None
    assert state.hand.dealt != was.dealt


def test_no_pack_is_stored_after_the_starter_is_cut() -> None:
    match, people = played(first_dealer=0)
    hand = replays.load(match).hand(1, 1)
    assert hand is not None
    branched(match, people[0], hand.last - 1)
    assert not Decks.objects.exists()


def test_a_branch_needs_a_position_within_a_hand() -> None:
    match, people = played(first_dealer=0)
    found = replays.load(match)
    for step in (0, found.hands[0].last, len(found.moves), len(found.moves) + 5):
        with pytest.raises(Refused, match="not_offered"):
            branched(match, people[0], step)
    with pytest.raises(Refused, match="bad_seat"):
        branched(match, people[0], 1, seat=2)
    with pytest.raises(Refused, match="no_such_level"):
        branch_match(match=match, player=people[0], hands=ALL_HANDS, step=1, seat=0, level="nobody")


def test_a_hidden_hand_cannot_be_branched() -> None:
    match, people = played()
    found = replays.load(match)
    options: dict[str, Any] = {
        "match": match,
        "player": people[0],
        "hands": 2,
        "seat": 0,
        "level": "poppy",
    }
    branch_match(step=found.hands[1].deal, **options)
    with pytest.raises(Refused, match="not_offered"):
        branch_match(step=found.hands[2].deal, **options)


def test_a_branch_is_marked_as_such_and_private() -> None:
    match, (ann, bob) = played(first_dealer=0)
    Player.objects.update(replays=Player.Replays.EVERYBODY)
    found = replays.load(match)
    made = branched(match, ann, found.hands[-1].deal)
    # The rest of the original log ends the branch as it ended the match.
    play_out(made, found.moves[found.hands[-1].deal :])
    made = Match.objects.prefetch_related("seats__player").get(pk=made.pk)
    assert made.status == Match.Status.FINISHED
    assert {row.kind for row in made.seats.all()} == {Seat.Kind.BRANCH}
    assert hands_shown(made, ann) == ALL_HANDS
    assert hands_shown(made, bob) == hands_shown(made, None) == 0
    assert not list(differences(made))


def play_out(match: Match, moves: tuple[Move, ...]) -> None:
    """Append these moves to the log of `match`, with their summaries."""
    from django.utils import timezone

    from games.engine.moves import to_text
    from games.log import summaries
    from games.log.store import Entry

    state, changes, now = folded(match), [], timezone.now()
    for move in moves:
        step = rules.apply(state, move)
        store.write_all([Entry(match.pk, state.sequence, None, to_text(move), "", now)])
        change = summaries.effects(match.pk, state, step.state, now)
        changes += [change] if change is not None else []
        state = step.state
    summaries.write(changes)


class TestPage:
    def post(self, client: Client, match: Match, **fields: object) -> Any:
        chosen = {"step": 2, "seat": 0, "level": "poppy", **fields}
        return client.post(f"/matches/{match.public_id}/branch/", chosen)

    def test_posting_leads_to_the_new_table(self, client: Client) -> None:
        match, (ann, _) = played(first_dealer=0)
        client.force_login(ann)
        answer = self.post(client, match)
        made = Match.objects.get(branch_of=match)
        assert answer.headers["Location"] == f"/t/{made.public_id}/"
        page = client.get(f"/matches/{made.public_id}/").content.decode()
        assert f"/matches/{match.public_id}/1.1/2/" in page

    def test_in_french_a_space_stands_before_the_colon_of_a_problem(self, client: Client) -> None:
        match, (ann, _) = played(first_dealer=0)
        client.force_login(ann)
        client.cookies["language"] = "fr"
        self.post(client, match, level="nobody")
        page = client.get(f"/matches/{match.public_id}/").content.decode()
        assert "Ordinateur\N{NO-BREAK SPACE}:" in page

    def test_a_double_click_begins_one(self, client: Client) -> None:
        match, (ann, _) = played(first_dealer=0)
        client.force_login(ann)
        first, again = (self.post(client, match)["Location"] for _ in range(2))
        assert first == again
        others: list[dict[str, object]] = [{"seat": 1}, {"level": "nora"}, {"step": 3}]
        assert len({self.post(client, match, **other)["Location"] for other in others}) == 3
        assert Match.objects.filter(branch_of=match).count() == 4

    def test_a_branch_that_is_played_is_begun_anew(self, client: Client) -> None:
        match, (ann, _) = played(first_dealer=0)
        client.force_login(ann)
        self.post(client, match)
        begun = Match.objects.get(branch_of=match)
        begun.moves.create(sequence=2, seat=0, text="0 discard")
        self.post(client, match)
        assert Match.objects.filter(branch_of=match).count() == 2

    def test_only_those_who_may_see_the_match_can_branch_it(self, client: Client) -> None:
        match, _people = played(first_dealer=0)
        client.force_login(create_guest())
        assert self.post(client, match).status_code == 404
        assert not Match.objects.filter(branch_of=match).exists()

    @pytest.mark.parametrize(
        "fields", [{"step": "x"}, {"step": -1}, {"seat": 5}, {"level": "nobody"}, {"step": 99999}]
    )
    def test_an_impossible_branch_is_refused_with_a_message(
        self, client: Client, fields: dict[str, object]
    ) -> None:
        match, (ann, _) = played(first_dealer=0)
        client.force_login(ann)
        answer = self.post(client, match, **fields)
        assert answer.headers["Location"] == f"/matches/{match.public_id}/"
        page = client.get(answer.headers["Location"]).content.decode()
        assert 'class="message error"' in page
        assert not Match.objects.filter(branch_of=match).exists()
