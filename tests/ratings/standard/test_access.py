"""The access rules of standard games, rule by rule, on rows made for each."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Decks, Match, Player
from games.people.accounts import create_guest
from ratings.models import Attempt, Play, StandardGame
from ratings.standard import access
from ratings.standard.consent import withheld_plays

pytestmark = pytest.mark.django_db

Ended, Kind, Sharing, Status = Attempt.Ended, Play.Kind, Player.Sharing, Match.Status
PACKS = 12
AT_ONCE = [Kind.LIVE]
LATER = [kind for kind in Kind if kind not in AT_ONCE]


def game(state: str = StandardGame.State.OPEN) -> StandardGame:
    decks = Decks.objects.create(packs=["AC 2C"] * PACKS)
    return StandardGame.objects.create(
        seats=2, decks=decks, state=state, salt="s", commitment="c", purpose="pool"
    )


def play(
    on: StandardGame, kind: str = Kind.RANKED, *, over: bool = True, **fields: Any
) -> tuple[Play, Match]:
    """Return a play of a game and its match; ``fields`` are columns of the match."""
    status = Status.FINISHED if over else Status.PLAYING
    match = Match.objects.create(**{"ruleset": {}, "status": status, **fields})
    at = timezone.now() if over else None
    return (
        Play.objects.create(standard_game=on, match=match, kind=kind, finished_at=at),
        match,
    )


def attempt(
    of: Play, player: Player | None = None, *, seen: int = 6, ended: str = Ended.PLAYED, **more: Any
) -> Attempt:
    """Return a player's attempt in a play, in the next seat."""
    return Attempt.objects.create(
        **{
            "play": of,
            "standard_game": of.standard_game,
            "player": player or create_guest(),
            "seat": of.attempts.count(),
            "hands_seen": seen,
            "ended": ended,
            **more,
        }
    )


class TestReader:
    def reader(self, on: StandardGame, player: Player | None) -> access.Reader | None:
        return access.reader_of(number=on.pk, player=player)

    def test_only_who_has_finished_the_game_reads_it(self) -> None:
        on, eve, dan = game(), create_guest(), create_guest()
        attempt(play(on, over=False)[0], eve)
        attempt(play(game())[0], dan)
        for nobody in (eve, dan, None):
            assert self.reader(on, nobody) is None
        attempt(play(on)[0], eve, first=False)
        assert self.reader(on, eve) is not None

    def test_a_computers_attempt_is_no_persons(self) -> None:
        on, robot = game(), create_guest()
        attempt(play(on)[0], robot, computer=True)
        assert self.reader(on, robot) is None

    def test_the_first_attempt_counts_and_the_longest_is_shown(self) -> None:
        on, eve = game(), create_guest()
        attempt(play(on)[0], eve, seen=9, first=False)
        first = attempt(play(on)[0], eve, seen=4)
        attempt(play(on)[0], eve, seen=5, first=False)
        reader = self.reader(on, eve)
        assert reader is not None
        assert (reader.game, reader.attempt, reader.hands) == (on, first, 9)

    def test_without_a_first_one_the_earliest_counts(self) -> None:
        on, eve = game(), create_guest()
        earliest = attempt(play(on)[0], eve, first=False)
        attempt(play(on)[0], eve, first=False)
        reader = self.reader(on, eve)
        assert reader is not None
        assert reader.attempt == earliest

    def test_a_closed_game_is_read_whole(self) -> None:
        on, eve = game(StandardGame.State.CLOSED), create_guest()
        attempt(play(on)[0], eve, seen=2)
        reader = self.reader(on, eve)
        assert reader is not None
        assert reader.hands == PACKS

    def test_what_a_page_needs_comes_with_it(self) -> None:
        on, eve = game(), create_guest()
        attempt(play(on)[0], eve)
        reader = self.reader(on, eve)
        assert reader is not None
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert reader.game.decks.packs
            assert reader.attempt.play.match is not None
            assert reader.attempt.player == eve
        assert len(queries) == 0


@pytest.mark.parametrize("seen", [0, 1, 2, 7])
def test_hands_reached_and_turned_up(seen: int) -> None:
    one = Attempt(hands_seen=seen, ended=Ended.PLAYED)
    assert access.hands_reached(one) == seen
    assert access.hands_turned_up(one) == max(seen - 1, 0)
    for ended in (Ended.LEFT, Ended.TIMED_OUT):
        one.ended = ended
        assert access.hands_reached(one) == max(seen - 1, 0)
        assert access.hands_turned_up(one) == max(seen - 1, 0)


class TestVisibleHands:
    def visible(self, match: Match, player: Player | None) -> int | None:
        return access.visible_hands_in(match=match.pk, player=player.pk if player else None)

    def test_a_match_on_no_standard_game_has_no_limit(self) -> None:
        match = Match.objects.create(ruleset={})
        assert self.visible(match, None) is None
        assert self.visible(match, create_guest()) is None

    def test_public_cards_have_no_limit(self) -> None:
        _, match = play(game(StandardGame.State.CLOSED))
        assert self.visible(match, None) is None

    @pytest.mark.parametrize("kind", LATER)
    def test_of_an_open_game_one_hand_less_than_the_player_has_seen(self, kind: str) -> None:
        on, ann, eve = game(), create_guest(), create_guest()
        one, match = play(on, kind)
        attempt(one, ann, seen=6)
        attempt(play(on)[0], eve, seen=4)
        attempt(play(on)[0], eve, seen=8, first=False)
        attempt(play(game())[0], eve, seen=12)
        assert self.visible(match, ann) == 5
        assert self.visible(match, eve) == 7
        assert self.visible(match, create_guest()) == 0
        assert self.visible(match, None) == 0

    @pytest.mark.parametrize("kind", AT_ONCE)
    def test_random_cards_are_open_to_those_at_the_table(self, kind: str) -> None:
        on, ann, eve = game(), create_guest(), create_guest()
        one, match = play(on, kind)
        attempt(one, ann)
        attempt(play(on)[0], eve, seen=4)
        assert self.visible(match, ann) is None
        assert self.visible(match, eve) == 3
        assert self.visible(match, None) == 0

    def test_a_play_that_is_not_over_shows_nothing(self) -> None:
        on, ann = game(), create_guest()
        one, match = play(on, Kind.LIVE, over=False)
        attempt(one, ann)
        assert self.visible(match, ann) == 0


class TestPublic:
    def public(self, on: StandardGame, *matches: Match) -> bool:
        """Ask both rules, which must agree."""
        on.refresh_from_db()
        public = access.cards_are_public(on)
        keys = {match.pk for match in matches}
        assert access.secret_matches(keys) == (set() if public else keys)
        return public

    def test_an_open_game_is_secret_and_a_closed_one_is_not(self) -> None:
        on = game()
        _, match = play(on)
        assert not self.public(on, match)
        StandardGame.objects.update(state=StandardGame.State.CLOSED)
        assert self.public(on, match)

    def test_a_closed_game_is_secret_while_it_is_played(self) -> None:
        on, other = game(StandardGame.State.CLOSED), game(StandardGame.State.CLOSED)
        _, match = play(on)
        _, elsewhere = play(other)
        _, running = play(on, over=False)
        assert not self.public(on, match, running)
        assert self.public(other, elsewhere)
        Match.objects.filter(pk=running.pk).update(status=Status.ABANDONED)
        assert self.public(on, match, running)

    def test_practice_keeps_nothing_secret(self) -> None:
        on = game(StandardGame.State.CLOSED)
        one, running = play(on, over=False)
        assert not self.public(on, running)
        Play.objects.filter(pk=one.pk).update(exclusion=Play.Exclusion.PRACTICE)
        assert self.public(on, running)
        for exclusion in set(Play.Exclusion) - {Play.Exclusion.PRACTICE}:
            Play.objects.filter(pk=one.pk).update(exclusion=exclusion)
            assert not self.public(on, running)

    def test_what_may_not_be_shared_never_is_public(self) -> None:
        on, other = game(StandardGame.State.CLOSED), game(StandardGame.State.CLOSED)
        _, match = play(on, Kind.LIVE, sharing=Sharing.NEVER)
        _, elsewhere = play(other)
        assert not self.public(on, match)
        assert self.public(other, elsewhere)

    def test_only_the_matches_asked_for_are_told(self) -> None:
        (_, one), (_, other) = play(game()), play(game())
        assert access.secret_matches({one.pk}) == {one.pk}
        assert access.secret_matches({other.pk, 0}) == {other.pk}
        assert access.secret_matches(set()) == set()


@pytest.mark.parametrize("kind", list(Kind))
def test_even_players_do_not_see_cards_that_others_may_be_dealt(kind: str) -> None:
    _, match = play(game(), kind)
    _, public = play(game(StandardGame.State.CLOSED), kind)
    expected = set() if kind in AT_ONCE else {match.pk}
    assert access.held_back({match.pk, public.pk}) == expected
    assert access.held_back({public.pk}) == set()


class TestOwnAttempt:
    def test_it_is_the_players_own_in_that_match_of_that_game(self) -> None:
        on, ann, bob = game(), create_guest(), create_guest()
        one, match = play(on, over=False)
        mine, theirs = attempt(one, ann), attempt(one, bob)
        again, other = play(on)
        second = attempt(again, ann, first=False)

        def own(number: int, of: Match, player: Player | None) -> Attempt | None:
            return access.own_attempt(number=number, match=of.public_id, player=player)

        assert own(on.pk, match, ann) == mine
        assert own(on.pk, match, bob) == theirs
        assert own(on.pk, other, ann) == second
        assert own(on.pk, other, bob) is None
        assert own(on.pk + 1, match, ann) is None
        assert own(on.pk, match, None) is None

    def test_a_computers_is_nobodys(self) -> None:
        on, robot = game(), create_guest()
        one, match = play(on)
        attempt(one, robot, computer=True)
        found = access.own_attempt(number=on.pk, match=match.public_id, player=robot)
        assert found is None

    def test_what_a_page_needs_comes_with_it(self) -> None:
        on, ann = game(), create_guest()
        one, match = play(on)
        attempt(one, ann)
        found = access.own_attempt(number=on.pk, match=match.public_id, player=ann)
        assert found is not None
        with CaptureQueriesContext(connection) as queries:
            assert found.standard_game.decks.packs
            assert found.play.match is not None
            assert found.player == ann
        assert len(queries) == 0


class TestWithheld:
    def withheld(self, of: Play) -> bool:
        return withheld_plays().filter(pk=of.pk).exists()

    def test_the_table_or_a_player_withholds_a_private_match(self) -> None:
        one, match = play(game(), Kind.LIVE)
        ann = attempt(one).player
        attempt(one)
        assert not self.withheld(one)
        Match.objects.filter(pk=match.pk).update(sharing=Sharing.NEVER)
        assert self.withheld(one)
        Match.objects.filter(pk=match.pk).update(sharing=Sharing.NAMED)
        assert not self.withheld(one)
        Player.objects.filter(pk=ann.pk).update(sharing=Sharing.NEVER)
        assert self.withheld(one)
        Player.objects.filter(pk=ann.pk).update(sharing=Sharing.GUEST)
        assert not self.withheld(one)

    def test_a_listed_match_is_not_private(self) -> None:
        one, _ = play(game(), Kind.LIVE, listed=True, sharing=Sharing.NEVER)
        assert not self.withheld(one)

    @pytest.mark.parametrize("kind", [kind for kind in Kind if kind != Kind.LIVE])
    def test_only_random_cards_are_withheld(self, kind: str) -> None:
        one, _ = play(game(), kind, sharing=Sharing.NEVER)
        assert not self.withheld(one)
