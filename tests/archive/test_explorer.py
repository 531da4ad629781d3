"""The explorer: numbers of situations, filing of public matches, and answers."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import permutations

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from games import hooks
from games.analysis.discards import average_points
from games.archive import public
from games.archive.explorer import answers, filing, spots
from games.archive.explorer.choices import choices_of
from games.engine.cards import PACK, RANK, SUIT, parse_cards
from games.models import Choice, HandSeat, Match, Player, PublicMatch
from tests.support.people import make_computer_match, make_match
from tests.support.played import play_on

SIX = "4H 5H 6S JC 9D KS"


def hand(text: str) -> tuple[int, ...]:
    return parse_cards(text)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (SIX, "KH 4S 5C 6D JS 9H", True),
        (SIX, "4H 5H 6S QC 9D KS", False),
        ("2H 4H 6H 8H TC KD", "2S 4S 6S 8S TD KC", True),
        ("2H 4H 6H 8H TC KD", "2H 4H 6H TH 8C KD", False),
        ("2H 4H 6H 8C TC KD", "2C 4D 6H 8C TC KD", True),
        ("2H 4H 6H 8H TH KD", "2H 4H 6H 8H TH KH", False),
    ],
)
def test_suits_matter_only_where_a_flush_is_possible(one: str, other: str, same: bool) -> None:
    first, second = (
        spots.throw_spot(hand(one), dealer=True),
        spots.throw_spot(hand(other), dealer=True),
    )
    assert (first == second) is same


@given(st.permutations(PACK), st.booleans())
def test_a_spot_gives_back_a_hand_with_the_same_number(pack: list[int], dealer: bool) -> None:
    cards = pack[:6]
    spot = spots.throw_spot(cards, dealer=dealer)
    back, led = spots.cards_of(spot)
    assert len(set(back)) == 6
    assert spots.throw_spot(back, dealer=dealer) == spot
    assert (led, spots.is_dealer(spot)) == (None, dealer)
    assert sorted(map(RANK.__getitem__, back)) == sorted(map(RANK.__getitem__, cards))


@given(st.permutations(PACK))
def test_leads_and_answers_have_numbers_of_their_own(pack: list[int]) -> None:
    kept, led = pack[:4], RANK[pack[4]]
    lead, answer = spots.lead_spot(kept), spots.answer_spot(kept, led)
    ranks = sorted(RANK[card] for card in kept)
    for spot, after in ((lead, None), (answer, led)):
        cards, said = spots.cards_of(spot)
        assert (sorted(RANK[card] for card in cards), said) == (ranks, after)
        assert len(set(cards)) == 4
    assert spots.LEADS <= lead < spots.ANSWERS <= answer < spots.END < 2**31
    assert not spots.is_dealer(lead)
    assert spots.is_dealer(answer)


@given(st.permutations(PACK))
def test_every_throw_of_a_hand_has_a_number(pack: list[int]) -> None:
    cards = pack[:6]
    throws = spots.throws(cards)
    for one, two in permutations(cards, 2):
        number = spots.throw_choice(cards, (one, two))
        pair = throws[number]
        assert sorted(map(RANK.__getitem__, pair)) == sorted((RANK[one], RANK[two]))


@pytest.mark.parametrize("spot", [-1, 0, spots.END])
def test_a_number_of_no_hand_is_refused(spot: int) -> None:
    with pytest.raises(ValueError, match=r"not a spot|so many"):
        spots.cards_of(spot)


def test_throws_with_one_number_are_worth_nearly_the_same() -> None:
    rng = random.Random(7)
    widest = 0.0
    for _ in range(60):
        cards = rng.sample(PACK, 6)
        values: dict[int, list[float]] = {}
        for pair, value in average_points(cards, "dealer").items():
            values.setdefault(spots.throw_choice(cards, pair), []).append(value)
        widest = max(widest, *(max(each) - min(each) for each in values.values()))
    assert widest < 0.35


def finished(**fields: object) -> Match:
    """Return a finished match of two guests, public unless the fields say otherwise."""
    match, _people = make_match()
    play_on(match.public_id)
    Match.objects.filter(pk=match.pk).update(**({"watchable": True} | fields))
    match.refresh_from_db()
    return match


def filed() -> set[int]:
    return set(PublicMatch.objects.values_list("pk", flat=True))


@pytest.mark.django_db
class TestFiling:
    def test_every_throw_lead_and_answer_is_filed_once_however_often_the_job_runs(self) -> None:
        match = finished()
        for _ in range(3):
            filing.file_match.func(match.pk)
        rows = Choice.objects.filter(match=match.pk)
        hands = HandSeat.objects.filter(hand__match=match).exclude(discarded="")
        assert rows.filter(spot__lt=spots.LEADS).count() == hands.count() > 0
        led = [each for each in match.hands.all() if each.plays]
        answered = [each for each in led if len(each.plays.split()) > 1]
        assert rows.filter(spot__gte=spots.LEADS, spot__lt=spots.ANSWERS).count() == len(led)
        assert rows.filter(spot__gte=spots.ANSWERS).count() == len(answered)

    def test_a_job_that_dies_halfway_stores_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = finished()

        def die(_match: Match) -> list[Choice]:
            raise SystemExit

        with monkeypatch.context() as patched:
            patched.setattr(filing, "choices_of", die)
            with pytest.raises(SystemExit):
                filing.file_match.func(match.pk)
        assert not filed()
        filing.file_match.func(match.pk)
        assert filed() == {match.pk}

    @pytest.mark.parametrize(
        "fields",
        [
            {"watchable": False},
            {"status": Match.Status.ABANDONED, "winner": None},
            {"imported": True},
            {"lesson": True},
        ],
    )
    def test_what_is_not_public_is_not_filed(self, fields: dict[str, object]) -> None:
        filing.check([finished(**fields).pk])
        assert not filed()

    def test_cards_that_may_still_be_dealt_are_not_filed_until_their_game_closes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        match = finished()
        monkeypatch.setattr(hooks, "secret_matches", set)
        filing.check_all.func()
        assert not filed()
        monkeypatch.setattr(hooks, "secret_matches", lambda _matches: set())
        filing.check_all.func()
        assert filed() == {match.pk}

    def test_a_night_reads_what_is_new_and_a_part_of_the_old_so_that_all_are_read(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = timezone.now()
        new = {finished().pk for _ in range(3)}
        ago = now - filing.LATELY - timedelta(days=1)
        old = {finished(finished_at=ago).pk for _ in range(2 * filing.NIGHTS)}
        opened = min(old)
        monkeypatch.setattr(
            hooks, "opened_since", lambda at: {opened} if at == now - filing.LATELY else set()
        )
        assert opened in filing.due_on(now)
        read = []
        for night in range(filing.NIGHTS):
            monkeypatch.setattr(hooks, "opened_since", lambda _: set())
            due = filing.due_on(now + timedelta(days=night))
            assert len(due) == len(set(due)) <= len(new) + 2
            if night < filing.LATELY.days:
                assert new <= set(due)
            read += [pk for pk in due if pk in old]
        assert sorted(read) == sorted(old)

    def test_a_private_match_waits_until_it_can_be_no_standard_game(self) -> None:
        match = finished(watchable=False)
        Player.objects.filter(seats__match=match).update(replays=Player.Replays.EVERYBODY)
        filing.check([match.pk])
        assert not filed()
        ago = timezone.now() - public.SETTLED - timedelta(minutes=1)
        Match.objects.filter(pk=match.pk).update(finished_at=ago)
        filing.check([match.pk])
        assert filed() == {match.pk}

    def test_a_private_match_that_may_not_be_shared_is_left_out(self) -> None:
        ago = timezone.now() - timedelta(days=2)
        match = finished(watchable=False, finished_at=ago)
        people = Player.objects.filter(seats__match=match)
        people.update(replays=Player.Replays.EVERYBODY)
        people.filter(seats__seat=0).update(sharing=Player.Sharing.NEVER)
        filing.check([match.pk])
        assert not filed()

    def test_hiding_ones_matches_takes_them_out(self, client: Client) -> None:
        match = finished()
        filing.check([match.pk])
        assert Choice.objects.exists()
        player = match.seats.get(seat=0).player
        assert player is not None
        client.force_login(player)
        client.post("/shown/", {"replays": "nobody", "sharing": "guest", "chat": "on"})
        filing.check_player.func(player.pk)
        assert not filed()
        assert not Choice.objects.exists()

    def test_a_deleted_match_takes_its_choices_with_it(self) -> None:
        match = finished()
        filing.check([match.pk])
        match.delete()
        assert not Choice.objects.exists()


@pytest.mark.django_db
class TestChoices:
    def test_people_are_grouped_by_their_rating(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = finished()
        first, second = (row.player_id for row in match.seats.order_by("seat"))
        ratings = {
            first: [{"seats": 2, "rating": 1530.0, "provisional": False}],
            second: [{"seats": 2, "rating": 1530.0, "provisional": True}],
        }
        monkeypatch.setattr(hooks, "ratings", ratings.__getitem__)
        groups = {row.seat: row.group for row in choices_of(match)}
        assert groups == {0: Choice.Group.ABOVE, 1: Choice.Group.UNRATED}

    def test_computers_are_apart_and_hinted_choices_left_out(self) -> None:
        match, _person = make_computer_match()
        play_on(match.public_id)
        match.refresh_from_db()
        assert {row.group for row in choices_of(match)} == {
            Choice.Group.UNRATED,
            Choice.Group.COMPUTER,
        }
        match.seats.filter(seat=0).update(substituted=True)
        assert {row.group for row in choices_of(match)} == {Choice.Group.COMPUTER}
        match.seats.filter(seat=0).update(substituted=False)
        match.hints = True
        assert {row.group for row in choices_of(match)} == {Choice.Group.COMPUTER}

    def test_the_net_points_of_both_sides_cancel_out_but_for_the_hands(self) -> None:
        """What one side pegs the other loses, and the crib counts for one and against the other."""
        match = finished()
        rows = [row for row in choices_of(match) if row.points is not None]
        plays = [row for row in rows if row.spot >= spots.LEADS]
        for game, number in {(row.game, row.hand) for row in plays}:
            here = [row.points or 0 for row in plays if (row.game, row.hand) == (game, number)]
            assert len(here) == 2
            assert sum(here) == 0


@pytest.mark.django_db
class TestAnswers:
    def make(self, *rows: tuple[int, int, int | None]) -> int:
        """File choices of one hand: throw (by its cards' place), group and points."""
        match = finished()
        filed = PublicMatch.objects.create(match=match)
        cards = hand(SIX)
        spot = spots.throw_spot(cards, dealer=True)
        throws = sorted(spots.throws(cards))
        Choice.objects.bulk_create(
            Choice(
                match=filed,
                game=1,
                hand=1,
                seat=0,
                spot=spot,
                choice=throws[throw],
                group=group,
                stage=Choice.Stage.EARLY,
                points=points,
            )
            for throw, group, points in rows
        )
        return spot

    def test_choices_are_counted_by_group_and_averaged(self) -> None:
        spot = self.make((0, 1, 10), (0, 3, 13), (1, 1, None), (1, 9, 99))
        found = answers.answer(spot)
        assert found.total == 3
        assert [one.times(answers.PEOPLE) for one in found.chosen] == [2, 1]
        assert [one.average for one in found.chosen] == [11.5, None]
        assert found.groups == {1: 2, 3: 1, 9: 1}

    def test_stages_are_filtered(self) -> None:
        spot = self.make((0, 1, 10))
        assert answers.answer(spot, stages=[Choice.Stage.LATE]).total == 0

    def test_an_answer_is_one_query(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        spot = self.make((0, 1, 10))
        with django_assert_num_queries(1):
            answers.answer(spot)

    def test_links_ask_the_access_rules_again(self) -> None:
        spot = self.make((0, 1, 10))
        (links,) = answers.links(spot).values()
        assert len(links) == 1
        Match.objects.update(watchable=False)
        assert list(answers.links(spot).values()) == [[]]


def test_every_suit_can_be_the_flush() -> None:
    for suit in range(4):
        cards = [card for card in PACK if SUIT[card] == suit][:6]
        assert all(code % 2 for code in spots.codes(cards))
