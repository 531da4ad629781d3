"""The access rules of matches, rule by rule, with the answers about standard games made up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from games import hooks
from games.archive import sharing
from games.archive.access import (
    ALL_HANDS,
    hands_shown,
    may_replay,
    may_see,
    openable,
    seat_of,
    visible_in_lists,
    visible_to_standard_game_players,
)
from games.engine.state import Ruleset
from games.models import Match, Player, Seat
from games.people.accounts import create_guest
from tests.support.people import make_computer_match, make_match

pytestmark = pytest.mark.django_db

Replays, Sharing, Status = Player.Replays, Player.Sharing, Match.Status
UNFINISHED = sorted(set(Status.values) - {Status.FINISHED})
OTHER = 999_999
"""A primary key of a match that another one comes from; it is only compared with None."""


@dataclass
class Standard:
    """What the ratings would say about a match: no standard game unless a test says so."""

    reached: dict[int | None, int] = field(default_factory=dict)
    secret: set[int] = field(default_factory=set)
    same: set[tuple[int, int]] = field(default_factory=set)


@pytest.fixture(autouse=True)
def standard(monkeypatch: pytest.MonkeyPatch) -> Standard:
    said = Standard()

    def same_cards(matches: Iterable[int], player: int) -> set[int]:
        return {match for match in matches if (match, player) in said.same}

    monkeypatch.setattr(hooks, "hands_reached", lambda match, player: said.reached.get(player))
    monkeypatch.setattr(hooks, "secret_matches", lambda matches: said.secret & set(matches))
    monkeypatch.setattr(hooks, "same_cards", same_cards)
    return said


def table(status: str = Status.FINISHED, **fields: object) -> tuple[Match, Player, Player]:
    """Return a match of two people with these columns, and the people."""
    match, people = make_match()
    Match.objects.filter(pk=match.pk).update(status=status)
    match.refresh_from_db()
    for name, value in fields.items():
        assert hasattr(match, name)
        setattr(match, name, value)
    return match, people[0], people[1]


def choose(replays: str, *players: Player) -> None:
    """Set these players' choice of who may see their replays."""
    Player.objects.filter(pk__in=[player.pk for player in players]).update(replays=replays)


class TestSeats:
    def test_a_viewer_has_the_seat_that_they_took(self) -> None:
        match, ann, bob = table()
        assert (seat_of(match, ann), seat_of(match, bob)) == (0, 1)
        assert seat_of(match, create_guest()) is None
        assert seat_of(match, None) is None
        assert seat_of(match, Player()) is None

    def test_a_computers_seat_is_nobodys(self) -> None:
        match, ann = make_computer_match()
        computer = match.seats.get(computer=True).player
        assert computer is not None
        assert seat_of(match, ann) == 0
        assert seat_of(match, computer) is None

    def test_an_empty_seat_is_nobodys(self) -> None:
        match, _, _ = table()
        Seat.objects.filter(match=match).update(player=None)
        assert seat_of(Match.objects.get(pk=match.pk), Player()) is None


class TestMaySee:
    @pytest.mark.parametrize("status", Status.values)
    def test_its_players_always_may_and_others_never_may_see_a_private_one(
        self, status: str
    ) -> None:
        match, ann, bob = table(status)
        assert may_see(match, ann)
        assert may_see(match, bob)
        assert not may_see(match, create_guest())
        assert not may_see(match, None)

    @pytest.mark.parametrize("status", Status.values)
    def test_everybody_may_see_one_that_can_be_watched(self, status: str) -> None:
        match, _, _ = table(status, watchable=True)
        assert may_see(match, create_guest())
        assert may_see(match, None)

    @pytest.mark.parametrize("status", UNFINISHED)
    def test_one_that_is_not_finished_follows_the_table_alone(self, status: str) -> None:
        match, ann, bob = table(status)
        choose(Replays.EVERYBODY, ann, bob)
        assert not may_see(match, None)
        choose(Replays.NOBODY, ann, bob)
        match.watchable = True
        assert may_see(match, None)

    def test_one_player_who_shows_nobody_decides_for_a_finished_one(self) -> None:
        match, ann, bob = table(watchable=True)
        choose(Replays.NOBODY, bob)
        assert not may_see(match, create_guest())
        assert not may_see(match, None)
        assert may_see(match, ann)

    def test_all_must_show_everybody_unless_it_could_be_watched(self) -> None:
        match, ann, bob = table()
        choose(Replays.EVERYBODY, ann)
        assert not may_see(match, None)
        choose(Replays.EVERYBODY, bob)
        assert may_see(match, None)

    @pytest.mark.parametrize("public", [False, True])
    def test_a_duplicate_is_its_players_alone(self, public: bool) -> None:
        match, ann, _ = table(duplicate_of_id=OTHER, watchable=public)
        assert may_see(match, ann)
        assert not may_see(match, create_guest())
        assert not may_see(match, None)

    @pytest.mark.parametrize("fields", [{"imported": True}, {"branch_of_id": OTHER}])
    def test_an_imported_match_or_a_branch_is_its_makers_alone(
        self, fields: dict[str, Any]
    ) -> None:
        earlier, maker = create_guest(), create_guest()
        match, ann, _ = table(**fields, watchable=True, created_by_id=maker.pk)
        assert may_see(match, maker)
        assert not may_see(match, earlier)
        assert may_see(match, ann)
        assert not may_see(match, create_guest())
        assert not may_see(match, None)

    def test_the_maker_of_any_other_match_is_nobody_special(self) -> None:
        maker = create_guest()
        match, _, _ = table(created_by_id=maker.pk)
        assert not may_see(match, maker)

    def test_the_maker_of_a_match_that_nobody_made_is_not_a_visitor(self) -> None:
        match, _, _ = table(imported=True, created_by_id=None)
        assert not may_see(match, None)

    def test_one_without_people_is_everybodys(self) -> None:
        match, _, _ = table()
        match.seats.update(computer=True)
        assert may_see(match, None)
        assert visible_in_lists([match], None) == [match]

    def test_who_can_still_be_dealt_its_cards_may_not(self, standard: Standard) -> None:
        match, ann, _ = table(watchable=True)
        eve, dan = create_guest(), create_guest()
        standard.reached = {eve.pk: 0, dan.pk: 1, None: 0, ann.pk: 0}
        assert not may_see(match, eve)
        assert not may_see(match, None)
        assert may_see(match, dan)
        assert may_see(match, ann)

    def test_who_had_the_same_cards_may_unless_a_player_objects(self, standard: Standard) -> None:
        match, ann, _ = table(ranked=True)
        eve, dan = create_guest(), create_guest()
        standard.same = {(match.pk, eve.pk)}
        assert may_see(match, eve)
        assert not may_see(match, dan)
        assert not may_see(match, None)
        choose(Replays.NOBODY, ann)
        assert not may_see(match, eve)

    def test_of_a_private_match_only_with_all_names(self, standard: Standard) -> None:
        match, _, _ = table(sharing=Sharing.NAMED)
        eve = create_guest()
        standard.same = {(match.pk, eve.pk)}
        Player.objects.update(sharing=Sharing.NAMED)
        assert may_see(match, eve)
        for less in (Sharing.GUEST, Sharing.NEVER):
            match.sharing = less
            assert not may_see(match, eve)


class TestOpenable:
    def test_who_had_the_same_cards_may_open_one_unless_a_player_objects(
        self, standard: Standard
    ) -> None:
        match, ann, _ = table(ranked=True)
        eve = create_guest()
        standard.same = {(match.pk, eve.pk)}
        assert openable([match], eve) == {match.pk}
        assert openable([match], create_guest()) == openable([match], None) == set()
        choose(Replays.NOBODY, ann)
        assert openable([match], eve) == set()
        assert openable([match], ann) == {match.pk}

    def test_one_on_an_open_game_or_not_over_is_its_players_alone(self, standard: Standard) -> None:
        over, ann, _ = table(ranked=True)
        running, bob, _ = table(Status.PLAYING, ranked=True)
        eve = create_guest()
        standard.same = {(over.pk, eve.pk), (running.pk, eve.pk)}
        standard.secret = {over.pk}
        assert openable([over, running], eve) == set()
        assert openable([over, running], ann) == {over.pk}
        assert openable([over, running], bob) == {running.pk}


class TestStandardGamePlayers:
    def test_each_player_can_prevent_it(self) -> None:
        match, _, bob = table(ranked=True)
        assert visible_to_standard_game_players(match)
        choose(Replays.NOBODY, bob)
        assert not visible_to_standard_game_players(match)

    def test_a_private_match_needs_everybodys_name(self) -> None:
        match, ann, _ = table(sharing=Sharing.NAMED)
        Player.objects.update(sharing=Sharing.NAMED)
        assert visible_to_standard_game_players(match)
        Player.objects.filter(pk=ann.pk).update(sharing=Sharing.GUEST)
        assert not visible_to_standard_game_players(match)


class TestHandsShown:
    @pytest.mark.parametrize("status", UNFINISHED)
    def test_a_match_that_is_not_over_shows_none(self, status: str) -> None:
        match, ann, _ = table(status, watchable=True)
        assert [hands_shown(match, each) for each in (ann, None)] == [0, 0]
        assert not may_replay(match, ann)

    def test_a_finished_one_shows_all_to_those_who_may_see_it(self) -> None:
        match, ann, _ = table()
        assert hands_shown(match, ann) == ALL_HANDS
        assert may_replay(match, ann)
        assert hands_shown(match, create_guest()) == 0
        assert not may_replay(match, None)

    def test_of_an_open_game_it_shows_what_the_viewer_has_played(self, standard: Standard) -> None:
        match, ann, bob = table(watchable=True)
        eve = create_guest()
        standard.reached = {ann.pk: 5, bob.pk: ALL_HANDS - 1, eve.pk: 3, None: 2}
        assert [hands_shown(match, each) for each in (ann, eve, None)] == [5, 3, 2]
        assert not may_replay(match, ann)
        assert not may_replay(match, bob)

    def test_who_left_sees_none_until_the_cards_are_public(self, standard: Standard) -> None:
        match, ann, bob = table(watchable=True)
        match.seats.filter(player=ann).update(left_at=7)
        standard.reached = {ann.pk: 5, bob.pk: 5}
        assert hands_shown(match, ann) == 0
        assert hands_shown(match, bob) == 5
        standard.reached = {}
        assert hands_shown(match, ann) == ALL_HANDS

    @pytest.mark.parametrize("fields", [{"imported": True}, {"branch_of_id": OTHER}])
    def test_of_an_imported_match_or_a_branch_all(
        self, fields: dict[str, Any], standard: Standard
    ) -> None:
        match, ann, _ = table(**fields)
        standard.reached = {ann.pk: 1}
        assert hands_shown(match, ann) == ALL_HANDS


class TestLists:
    def listed(self, match: Match, viewer: Player | None, *, cards: bool = False) -> bool:
        return visible_in_lists([match], viewer, cards=cards) == [match]

    def test_its_players_find_it_and_others_do_not(self) -> None:
        match, ann, _ = table()
        assert self.listed(match, ann)
        assert self.listed(match, ann, cards=True)
        assert not self.listed(match, create_guest())
        assert not self.listed(match, None)

    def test_no_list_shows_cards_of_a_match_that_is_not_over(self) -> None:
        match, ann, _ = table(Status.PLAYING, watchable=True)
        for viewer in (ann, create_guest(), None):
            assert visible_in_lists([match], viewer) == [match]
            assert not self.listed(match, viewer, cards=True)

    @pytest.mark.parametrize("status", UNFINISHED)
    def test_one_that_is_not_finished_is_listed_if_it_can_be_watched(self, status: str) -> None:
        match, ann, bob = table(status)
        choose(Replays.EVERYBODY, ann, bob)
        assert not self.listed(match, None)
        match.watchable = True
        choose(Replays.NOBODY, ann, bob)
        assert self.listed(match, None)

    def test_a_finished_one_if_its_players_allow_it(self) -> None:
        match, ann, bob = table()
        choose(Replays.EVERYBODY, ann)
        assert not self.listed(match, None)
        choose(Replays.EVERYBODY, bob)
        assert self.listed(match, None)
        watched, one, _ = table(watchable=True)
        assert self.listed(watched, None)
        choose(Replays.NOBODY, one)
        assert not self.listed(watched, None)

    def test_others_matches_on_open_games_are_not_listed(self, standard: Standard) -> None:
        match, ann, _ = table(watchable=True)
        standard.secret = {match.pk}
        assert self.listed(match, ann)
        assert self.listed(match, ann, cards=True)
        assert not self.listed(match, None)

    def test_who_left_sees_cards_once_they_are_public(self, standard: Standard) -> None:
        match, ann, bob = table()
        match.seats.filter(player=ann).update(left_at=0)
        assert self.listed(match, ann, cards=True)
        standard.secret = {match.pk}
        assert not self.listed(match, ann, cards=True)
        assert self.listed(match, ann)
        assert self.listed(match, bob, cards=True)

    def test_a_duplicate_is_in_its_players_lists_alone(self) -> None:
        match, ann, _ = table(duplicate_of_id=OTHER, watchable=True)
        assert self.listed(match, ann)
        assert not self.listed(match, None)

    @pytest.mark.parametrize("fields", [{"imported": True}, {"branch_of_id": OTHER}])
    def test_an_imported_match_or_a_branch_in_its_makers(self, fields: dict[str, Any]) -> None:
        maker = create_guest()
        match, _, _ = table(**fields, watchable=True, created_by_id=maker.pk)
        assert self.listed(match, maker)
        assert not self.listed(match, create_guest())
        assert not self.listed(match, None)


class TestSharing:
    def test_people_are_those_who_took_a_seat(self) -> None:
        match, ann = make_computer_match()
        assert sharing.people_of(match) == [ann]
        match.seats.update(player=None, computer=False)
        assert sharing.people_of(Match.objects.get(pk=match.pk)) == []

    @pytest.mark.parametrize(
        ("fields", "private"),
        [({}, True), ({"listed": True}, False), ({"ranked": True}, False)],
    )
    def test_a_match_by_invitation_alone_is_private(
        self, fields: dict[str, Any], private: bool
    ) -> None:
        match, ann, _ = table(**fields, sharing=Sharing.NEVER)
        assert sharing.is_private(match) is private
        assert sharing.sharing_of(match, [ann]) == (Sharing.NEVER if private else Sharing.NAMED)
        assert sharing.shows_name(match, ann) is not private

    @pytest.mark.parametrize("strictest", Sharing.values)
    @pytest.mark.parametrize("whose", ["table", "first", "last"])
    def test_the_strictest_choice_decides(self, strictest: str, whose: str) -> None:
        match, ann, bob = table(sharing=Sharing.NAMED)
        ann.sharing = bob.sharing = Sharing.NAMED
        chosen: dict[str, Any] = {"table": match, "first": ann, "last": bob}
        chosen[whose].sharing = strictest
        assert sharing.sharing_of(match, [ann, bob]) == strictest

    def test_guest_stands_between_never_and_named(self) -> None:
        assert sharing.strictest([Sharing.NAMED, Sharing.GUEST]) == Sharing.GUEST
        assert sharing.strictest([Sharing.GUEST, Sharing.NEVER]) == Sharing.NEVER

    def test_only_an_ordinary_match_of_people_may_become_a_standard_game(self) -> None:
        match, _, _ = table()
        assert sharing.may_become_standard(match, Ruleset())
        for rules in (
            Ruleset(games=2),
            Ruleset(target=61),
            Ruleset(counting="manual"),
            Ruleset(counting="manual", muggins=True),
        ):
            assert not sharing.may_become_standard(match, rules)
        for name, value in {
            "imported": True,
            "watchable": True,
            "ranked": True,
            "branch_of_id": OTHER,
            "duplicate_of_id": OTHER,
        }.items():
            fields: dict[str, Any] = {name: value}
            other, _, _ = table(**fields)
            assert not sharing.may_become_standard(other, Ruleset()), name
