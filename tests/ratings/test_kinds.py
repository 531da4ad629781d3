"""The daily game, challenges, ordinary games that become standard, and leaving."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services
from games.engine.state import Ruleset
from games.leaving import leave_for_good
from games.models import Block, Match, Player
from games.refusals import Refused
from ratings.models import Attempt, Play, Rating, Record, StandardGame, Ticket
from ratings.services import catalogue, challenge, daily, linking, matching
from ratings.services.collecting import collect
from ratings.services.refit import refit
from tests.ratings.tables import people, play_on

pytestmark = pytest.mark.django_db


def test_everybody_gets_the_same_daily_game_and_the_first_attempt_counts() -> None:
    ann, bob = people(2)
    match = daily.begin(player=ann)
    assert daily.begin(player=ann).pk == match.pk
    other = daily.begin(player=bob)
    assert other.decks_id == match.decks_id
    play_on(match)
    collect(match=match.pk)
    again = daily.begin(player=ann)
    assert again.pk != match.pk
    play_on(again)
    collect(match=again.pk)
    counted = Attempt.objects.filter(player=ann).order_by("pk").values_list("first", flat=True)
    assert list(counted) == [True, False]
    assert Play.objects.get(match=again).exclusion == Play.Exclusion.PRACTICE
    assert Rating.objects.get(player=ann).results == 1
    assert Record.objects.get(player=ann).won + Record.objects.get(player=ann).lost == 1


def test_a_daily_game_closes_when_its_day_is_over() -> None:
    yesterday = daily.today() - timedelta(days=1)
    old = daily.game_of(day=yesterday)
    daily.game_of(day=daily.today())
    old.refresh_from_db()
    assert old.state == StandardGame.State.CLOSED


def test_a_daily_game_is_lent_to_nobody() -> None:
    ann, bob = people(2)
    game = daily.game_of(day=daily.today())
    assert catalogue.lend(players=[ann, bob]).pk != game.pk


def test_a_challenge_gives_both_the_same_seat_and_is_never_rated() -> None:
    ann, bob = people(2)
    game = challenge.make(seat=1)
    for player in (ann, bob):
        match = challenge.begin(player=player, invite=game.invite)
        play_on(match)
        collect(match=match.pk)
    seats = Attempt.objects.filter(standard_game=game, computer=False)
    assert [row.seat for row in seats] == [1, 1]
    assert not Rating.objects.exists()
    with pytest.raises(Refused, match="not_offered"):
        challenge.begin(player=ann, invite=game.invite)


@pytest.mark.parametrize("listed", [True, False])
def test_an_ordinary_game_becomes_a_standard_game_with_its_result_as_row_one(
    listed: bool,
) -> None:
    ann, bob, cat, dan = people(4)
    match = services.create_match(creator=ann, ruleset=Ruleset(), listed=listed)
    services.join_match(player=bob, invite=match.invite)
    play_on(match)
    assert collect(match=match.pk) is not None
    collect(match=match.pk)
    game = StandardGame.objects.get()
    row = Play.objects.get(kind=Play.Kind.LIVE)
    assert (game.plays, row.match_id) == (1, match.pk)
    assert row.exclusion == ("" if listed else Play.Exclusion.CHOSEN)
    later = catalogue.seat_down(
        game=catalogue.lend(players=[cat, dan]), players=[cat, dan], kind=Play.Kind.RANKED
    )
    play_on(later, ("alfie", "nora"))
    first = {hand.number: hand for hand in match.hands.all()}
    shift = first[0].dealer
    for hand in later.hands.all():
        if hand.number in first:
            old = {row.seat.seat: row.dealt for row in first[hand.number].seats.all()}
            for seat in hand.seats.all():
                assert seat.dealt == old[(seat.seat.seat + shift) % 2]


@pytest.mark.parametrize("field", ["watchable", "imported"])
def test_a_game_that_others_saw_becomes_nothing(field: str) -> None:
    ann, bob = people(2)
    match = services.create_match(creator=ann, ruleset=Ruleset())
    services.join_match(player=bob, invite=match.invite)
    Match.objects.filter(pk=match.pk).update(**{field: True})
    play_on(match)
    assert collect(match=match.pk) is None


def test_a_game_against_a_computer_becomes_nothing() -> None:
    match = services.create_match(creator=people(1)[0], ruleset=Ruleset(), computers={1: "alfie"})
    play_on(match)
    assert collect(match=match.pk) is None


def leave_after(match: Match, hands: int, seat: int, *, timed_out: bool = False) -> None:
    play_on(match, stop=hands)
    assert leave_for_good(match=match.pk, seat=seat, timed_out=timed_out)
    assert not leave_for_good(match=match.pk, seat=seat)
    play_on(match, ("house", "house"))


def test_who_leaves_has_lost_and_the_margin_is_what_others_made_of_the_rest() -> None:
    ann, bob, cat, dan = people(4)
    game = catalogue.lend(players=[ann, bob])
    other = catalogue.seat_down(game=game, players=[ann, bob], kind=Play.Kind.RANKED)
    play_on(other)
    collect(match=other.pk)
    match = catalogue.seat_down(game=game, players=[cat, dan], kind=Play.Kind.RANKED)
    leave_after(match, hands=3, seat=0, timed_out=True)
    collect(match=match.pk)
    left = Attempt.objects.get(play__match=match, seat=0)
    stayed = Attempt.objects.get(play__match=match, seat=1)
    field = Attempt.objects.get(play__match=other, seat=0)
    then = sum(hand["net"] for hand in left.hands[:3])
    rest = sum(hand["net"] for hand in field.hands[3:])
    assert left.counted == pytest.approx(then + rest / 2)
    assert stayed.counted == pytest.approx(-left.counted)
    assert (left.ended, left.won, stayed.won) == (Attempt.Ended.TIMED_OUT, False, True)
    assert left.hands_seen == 4
    assert Record.objects.get(player=cat).lost == 1
    assert Record.objects.get(player=dan).won == 1
    assert Rating.objects.filter(player__in=[cat, dan]).count() == 2


def test_a_guest_who_logs_in_takes_his_attempts_along() -> None:
    ann, bob = people(2)
    guest = Player.objects.create(username="guest-1", kind="guest", name="Visitor")
    match = daily.begin(player=guest)
    play_on(match)
    collect(match=match.pk)
    twice = daily.begin(player=ann)
    play_on(twice)
    collect(match=twice.pk)
    other = catalogue.seat_down(
        game=catalogue.lend(players=[guest, bob]), players=[guest, bob], kind=Play.Kind.RANKED
    )
    play_on(other)
    collect(match=other.pk)
    from games.accounts import merge_guest

    merge_guest(guest=guest, account=ann)
    assert Attempt.objects.filter(player=ann).count() == 3
    assert Play.objects.get(match=match).exclusion == Play.Exclusion.PRACTICE
    assert Record.objects.get(player=ann).won + Record.objects.get(player=ann).lost == 3
    refit(seats=2)
    assert Rating.objects.get(player=ann).results == 2


def test_the_house_computer_is_offered_after_fifteen_seconds_alone() -> None:
    ann = people(1)[0]
    standing = matching.enter(player=ann, seats=2)
    assert (standing.waiting, standing.offer) == (True, False)
    with pytest.raises(Refused, match="not_offered"):
        matching.take_computer(player=ann)
    Ticket.objects.update(since=timezone.now() - timedelta(seconds=16))
    assert matching.ask(player=ann).offer
    match = matching.take_computer(player=ann)
    kinds = sorted(seat.player.kind for seat in match.seats.all() if seat.player)
    assert kinds == ["computer", "person"]
    play_on(match)
    collect(match=match.pk)
    assert Rating.objects.get(player=ann).results == 1


def test_linked_accounts_are_not_paired() -> None:
    ann, bob = people(2)
    linking.link(one=ann, other=bob)
    matching.enter(player=ann, seats=2)
    assert matching.enter(player=bob, seats=2).waiting


@pytest.mark.parametrize("blocker", [0, 1])
def test_people_one_of_whom_blocked_the_other_are_not_paired(blocker: int) -> None:
    *both, third = people(3)
    Block.objects.create(blocker=both[blocker], blocked=both[1 - blocker])
    matching.enter(player=both[0], seats=2)
    assert matching.enter(player=both[1], seats=2).waiting
    assert not matching.enter(player=third, seats=2).waiting


def test_who_has_closed_the_page_is_not_paired() -> None:
    ann, bob = people(2)
    matching.enter(player=ann, seats=2)
    Ticket.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    assert matching.enter(player=bob, seats=2).waiting


def test_a_game_closes_when_enough_have_played_it() -> None:
    game = catalogue.make(seats=2)
    StandardGame.objects.filter(pk=game.pk).update(plays=catalogue.CLOSES_AT - 1)
    players = people(2)
    match = catalogue.seat_down(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match)
    collect(match=match.pk)
    game.refresh_from_db()
    assert game.state == StandardGame.State.CLOSED


def test_the_sixth_meeting_of_a_pair_in_a_month_does_not_count() -> None:
    ann, bob = people(2)
    for _ in range(6):
        match = catalogue.seat_down(
            game=catalogue.make(seats=2), players=[ann, bob], kind=Play.Kind.RANKED
        )
        play_on(match)
        collect(match=match.pk)
    last = Play.objects.latest("pk")
    assert last.exclusion == Play.Exclusion.PAIR_CAP
    assert Rating.objects.get(player=ann).results == 5
    assert Record.objects.get(player=ann).won + Record.objects.get(player=ann).lost == 6
