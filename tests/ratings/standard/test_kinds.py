"""Daily games, challenges, matches that become standard games, leaving, and the queue."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.engine.state import Ruleset
from games.models import Block, Match, Player
from games.people.accounts import create_guest, merge_guest
from games.safety.export import own_hands
from games.tables.forfeit import leave_for_good
from games.tables.tables import create_match, join_match, seat_stand_in, take_back
from games.wire.refusals import Refused
from ratings.matchmaking import linked_accounts, queue
from ratings.models import Attempt, Play, Rating, Record, StandardGame, Ticket
from ratings.rating import standings
from ratings.rating.refit import refit
from ratings.rating.results import collect
from ratings.standard import catalogue, challenge, daily
from tests.support.people import as_
from tests.support.standard_tables import people, play_on, ranked_match

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fixed_cards", "midday")]


def test_all_players_get_the_same_daily_game_and_the_first_attempt_counts() -> None:
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
    daily.turn_day.call()
    old.refresh_from_db()
    assert old.state == StandardGame.State.CLOSED
    assert StandardGame.objects.get(daily=daily.today()).state == StandardGame.State.OPEN


def test_a_daily_game_is_not_used_for_ranked_matches() -> None:
    ann, bob = people(2)
    game = daily.game_of(day=daily.today())
    assert catalogue.choose_game(players=[ann, bob]).pk != game.pk


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


def test_whoever_has_finished_a_challenge_has_no_hidden_cards_for_those_who_still_play_it() -> None:
    ann, bob = people(2)
    game = challenge.make()
    own = challenge.begin(player=ann, invite=game.invite)
    play_on(own)
    collect(match=own.pk)
    challenge.begin(player=bob, invite=game.invite)
    page = as_(ann)
    replay = f"/matches/{own.public_id}/replay.json"
    assert not page.get(replay).json()["whole"]
    assert page.get(f"/matches/{own.public_id}/record.jsonl").status_code == 404
    assert list(own_hands(ann))[-1]["crib"] == ""

    Match.objects.update(created_at=timezone.now() - challenge.KEPT)
    challenge.close_old.func()
    game.refresh_from_db()
    assert game.is_open, "it is new"
    StandardGame.objects.update(made_at=timezone.now() - challenge.KEPT)
    challenge.close_old.func()
    assert not page.get(replay).json()["whole"], "bob still plays"
    Match.objects.update(status=Match.Status.FINISHED)
    assert page.get(replay).json()["whole"]


def test_a_challenge_stays_open_while_people_begin_it() -> None:
    (ann,) = people(1)
    game = challenge.make()
    StandardGame.objects.update(made_at=timezone.now() - 2 * challenge.KEPT)
    challenge.begin(player=ann, invite=game.invite)
    challenge.close_old.func()
    game.refresh_from_db()
    assert game.is_open


@pytest.mark.usefixtures("all_are_established")
@pytest.mark.parametrize("listed", [True, False])
def test_an_ordinary_game_becomes_a_standard_game_with_its_result(
    listed: bool,
) -> None:
    ann, bob, cat, dan = people(4)
    match = create_match(creator=ann, ruleset=Ruleset(), listed=listed)
    join_match(player=bob, invite=match.invite)
    play_on(match)
    assert collect(match=match.pk) is not None
    collect(match=match.pk)
    game = StandardGame.objects.get()
    row = Play.objects.get(kind=Play.Kind.LIVE)
    assert (game.plays, row.match_id) == (1, match.pk)
    assert row.exclusion == ("" if listed else Play.Exclusion.CHOSEN)
    later = catalogue.start_match(
        game=catalogue.choose_game(players=[cat, dan]), players=[cat, dan], kind=Play.Kind.RANKED
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
def test_a_watchable_or_imported_game_becomes_no_standard_game(field: str) -> None:
    ann, bob = people(2)
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    Match.objects.filter(pk=match.pk).update(**{field: True})
    play_on(match)
    assert collect(match=match.pk) is None


def test_a_game_against_a_computer_becomes_no_standard_game() -> None:
    match = create_match(creator=people(1)[0], ruleset=Ruleset(), computers={1: "alfie"})
    play_on(match)
    assert collect(match=match.pk) is None


def test_a_game_that_a_computer_played_for_a_while_becomes_no_standard_game() -> None:
    ann, bob = people(2)
    match = create_match(creator=ann, ruleset=Ruleset())
    join_match(player=bob, invite=match.invite)
    seat_stand_in(match=match, seat=1)
    assert take_back(match=match, player=bob)
    play_on(match)
    assert collect(match=match.pk) is None


def leave_after(match: Match, hands: int, seat: int, *, timed_out: bool = False) -> None:
    play_on(match, stop=hands)
    assert leave_for_good(match=match.pk, seat=seat, timed_out=timed_out)
    assert not leave_for_good(match=match.pk, seat=seat)
    play_on(match, ("house", "house"))


def test_a_leaver_loses_with_a_margin_estimated_from_the_field() -> None:
    ann, bob, cat, dan = people(4)
    game = catalogue.choose_game(players=[ann, bob])
    other = catalogue.start_match(game=game, players=[ann, bob], kind=Play.Kind.RANKED)
    play_on(other)
    collect(match=other.pk)
    match = catalogue.start_match(game=game, players=[cat, dan], kind=Play.Kind.RANKED)
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


def test_a_guests_attempts_move_to_their_account() -> None:
    ann, bob = people(2)
    guest = Player.objects.create(username="guest-1", kind="guest", name="Visitor")
    match = daily.begin(player=guest)
    play_on(match)
    collect(match=match.pk)
    twice = daily.begin(player=ann)
    play_on(twice)
    collect(match=twice.pk)
    other = catalogue.start_match(
        game=catalogue.choose_game(players=[guest, bob]),
        players=[guest, bob],
        kind=Play.Kind.RANKED,
    )
    play_on(other)
    collect(match=other.pk)
    merge_guest(guest=guest, account=ann)
    assert Attempt.objects.filter(player=ann).count() == 3
    assert Play.objects.get(match=match).exclusion == Play.Exclusion.PRACTICE
    assert Record.objects.get(player=ann).won + Record.objects.get(player=ann).lost == 3
    refit(seats=2)
    assert Rating.objects.get(player=ann).results == 2


@pytest.mark.parametrize("has_rating", [False, True])
def test_an_account_has_played_lately_if_it_did_as_a_guest(has_rating: bool) -> None:
    ann, bob = people(2)
    guest = create_guest()
    if has_rating:
        ranked_match([ann, bob])
        Rating.objects.filter(player=ann).update(played_at=timezone.now() - timedelta(days=60))
    ranked_match([guest, bob])
    merge_guest(guest=guest, account=ann)
    refit(seats=2)
    lately = standings.leaderboard(seats=2, recent=True).object_list
    assert ann in [row.rating.player for row in lately]


def test_the_house_computer_is_offered_at_once_to_a_player_who_waits_alone() -> None:
    ann = people(1)[0]
    standing = queue.enter(player=ann, seats=2)
    assert (standing.waiting, standing.offer) == (True, True)
    assert queue.play_computer(player=ann).ranked


def test_beside_others_the_house_computer_is_offered_after_fifteen_seconds() -> None:
    ann, bob = people(2)
    linked_accounts.link(one=ann, other=bob)
    queue.enter(player=bob, seats=2)
    standing = queue.enter(player=ann, seats=2)
    assert (standing.waiting, standing.offer, standing.others) == (True, False, 1)
    with pytest.raises(Refused, match="not_offered"):
        queue.play_computer(player=ann)
    Ticket.objects.filter(player=ann).update(since=timezone.now() - timedelta(seconds=16))
    assert queue.poll(player=ann).offer
    match = queue.play_computer(player=ann)
    kinds = sorted(seat.player.kind for seat in match.seats.all() if seat.player)
    assert kinds == ["computer", "person"]
    play_on(match)
    collect(match=match.pk)
    assert Rating.objects.get(player=ann).results == 1


def test_linked_accounts_are_not_paired() -> None:
    ann, bob = people(2)
    linked_accounts.link(one=ann, other=bob)
    queue.enter(player=ann, seats=2)
    assert queue.enter(player=bob, seats=2).waiting


@pytest.mark.parametrize("blocker", [0, 1])
def test_blocked_players_are_not_paired(blocker: int) -> None:
    *both, third = people(3)
    Block.objects.create(blocker=both[blocker], blocked=both[1 - blocker])
    queue.enter(player=both[0], seats=2)
    assert queue.enter(player=both[1], seats=2).waiting
    assert not queue.enter(player=third, seats=2).waiting


def test_a_player_who_has_closed_the_page_is_not_paired() -> None:
    ann, bob = people(2)
    queue.enter(player=ann, seats=2)
    Ticket.objects.update(seen_at=timezone.now() - timedelta(minutes=1))
    assert queue.enter(player=bob, seats=2).waiting


def test_a_game_closes_after_enough_plays() -> None:
    game = catalogue.make(seats=2)
    StandardGame.objects.filter(pk=game.pk).update(plays=catalogue.CLOSES_AT - 1)
    players = people(2)
    match = catalogue.start_match(game=game, players=players, kind=Play.Kind.RANKED)
    play_on(match)
    collect(match=match.pk)
    game.refresh_from_db()
    assert game.filled_at is not None
    assert game.is_open, "it is handed down to less trusted players first"
    StandardGame.objects.update(filled_at=timezone.now() - catalogue.HANDED_DOWN_FOR)
    catalogue.close_finished()
    game.refresh_from_db()
    assert game.state == StandardGame.State.CLOSED


@pytest.mark.parametrize(
    ("zone", "earlier", "ended", "exclusion"),
    [
        ("Pacific/Auckland", "2026-01-31T23:30Z", "2026-01-31T23:50Z", Play.Exclusion.PAIR_CAP),
        ("Pacific/Auckland", "2026-01-31T23:30Z", "2026-02-01T00:10Z", Play.Exclusion.NONE),
        ("America/Los_Angeles", "2026-02-01T00:05Z", "2026-02-01T00:10Z", Play.Exclusion.PAIR_CAP),
        ("UTC", "2026-01-01T00:00Z", "2026-01-31T23:50Z", Play.Exclusion.PAIR_CAP),
    ],
)
def test_the_pair_cap_uses_months_in_utc(
    settings: Settings, zone: str, earlier: str, ended: str, exclusion: str
) -> None:
    settings.TIME_ZONE = zone
    ann, bob = people(2)
    for _ in range(5):
        game = catalogue.make(seats=2)
        match = catalogue.start_match(game=game, players=[bob, ann], kind=Play.Kind.RANKED)
        Play.objects.filter(match=match.pk).update(finished_at=datetime.fromisoformat(earlier))
    match = catalogue.start_match(
        game=catalogue.make(seats=2), players=[ann, bob], kind=Play.Kind.RANKED
    )
    play_on(match)
    Match.objects.filter(pk=match.pk).update(finished_at=datetime.fromisoformat(ended))
    collect(match=match.pk)
    assert Play.objects.get(match=match.pk).exclusion == exclusion


def test_the_sixth_meeting_of_a_pair_in_a_month_does_not_count() -> None:
    ann, bob = people(2)
    for _ in range(6):
        match = catalogue.start_match(
            game=catalogue.make(seats=2), players=[ann, bob], kind=Play.Kind.RANKED
        )
        play_on(match)
        collect(match=match.pk)
    last = Play.objects.latest("pk")
    assert last.exclusion == Play.Exclusion.PAIR_CAP
    assert Rating.objects.get(player=ann).results == 5
    assert Record.objects.get(player=ann).won + Record.objects.get(player=ann).lost == 6
