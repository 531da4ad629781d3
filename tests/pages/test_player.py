"""Player profiles and site records: contents and privacy."""

from __future__ import annotations

import re
from datetime import date, timedelta
from math import sqrt
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from games.archive import access, averages, profile, records
from games.archive.measuring import measure
from games.engine.state import Ruleset
from games.log import player_stats
from games.models import Decks, Match, Player, Seat, Tally
from games.pages.archive.player_charts import average_rows, luck_rows
from games.pages.charts.calendar import calendar, first_day, level_of
from games.people.accounts import create_guest
from games.tables.forfeit import computer_of
from games.tables.tables import create_match
from ratings.models import Play, Rating, StandardGame
from tests.support.ended import ended
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("midday")]


def page_of(client: Client, shown: Player) -> str:
    return client.get(f"/players/{shown.public_id}/").content.decode()


def measured(
    seed: int = 1, *, watchable: bool = True, players: int = 2
) -> tuple[Match, list[Player]]:
    """Return a finished and measured match between guests."""
    match, people = make_match(players=players)
    Match.objects.filter(pk=match.pk).update(watchable=watchable)
    play_on(match.public_id, seed=seed)
    measure(match=match.pk)
    match.refresh_from_db()
    return match, people


def standard(match: Match, **fields: object) -> StandardGame:
    """Attach a match to a new standard game."""
    game = StandardGame.objects.create(
        seats=2, decks=Decks.objects.create(packs=[]), salt="s", commitment="c", **fields
    )
    Play.objects.create(standard_game=game, match=match, kind="ranked")
    return game


def test_the_record_is_broken_down_by_kind_of_opponent(player: Player) -> None:
    ann, poppy, nora = create_guest(), computer_of("poppy"), computer_of("nora")
    ended(player, ann, scores=(121, 50))
    ended(player, ann, winner=1, ranked=True, scores=(85, 121))
    ended(player, poppy)
    ended(player, nora, winner=1)
    ended(player, poppy, nora)
    ended(player, ann, imported=True)
    lines = {(line.kind, line.bot): line for line in profile.records_by_opponent(player=player)}
    sums = {key: line.totals for key, line in lines.items()}
    assert {key: (all_.matches, all_.won, all_.lost) for key, all_ in sums.items()} == {
        ("all", ""): (5, 3, 2),
        ("ranked", ""): (1, 0, 1),
        ("people", ""): (2, 1, 1),
        ("level", "nora"): (1, 0, 1),
        ("level", "poppy"): (1, 1, 0),
        ("three", ""): (1, 1, 0),
    }
    assert (sums["people", ""].skunks, sums["people", ""].skunked) == (1, 1)


def test_the_page_shows_the_head_to_head_record_with_the_visitor(
    client: Client, player: Player
) -> None:
    ann = create_guest(name="Ann")
    ended(player, ann)
    ended(player, ann, winner=1)
    ended(ann, create_guest(), player, winner=2)
    ended(ann)
    between = client.get(f"/players/{ann.public_id}/").context["between"]
    assert (between.matches, between.won, between.lost) == (3, 2, 1)
    assert "Head to head" in page_of(client, ann)
    assert "Head to head" not in page_of(client, player)
    assert "Head to head" not in page_of(Client(), ann)


def test_a_private_page_is_visible_only_to_its_owner(client: Client, player: Player) -> None:
    _, (ann, _) = measured()
    for path in ("/records/", f"/players/{ann.public_id}/"):
        assert ann.name in client.get(path).content.decode()
    own = Client()
    own.force_login(ann)
    answer = own.post(
        "/shown/", {"private": "on", "replays": "watched", "sharing": "guest"}, follow=True
    )
    assert "Saved." in answer.content.decode()
    assert ann.name not in client.get("/records/").content.decode()
    closed = client.get(f"/players/{ann.public_id}/")
    assert closed.status_code == 404
    assert "This page is private." in closed.content.decode()
    assert "Averages per hand" not in closed.content.decode()
    assert "Averages per hand" in page_of(own, ann)
    Rating.objects.create(
        player=ann, seats=2, skill=1, rating=1500, rd=50, floor=1450, provisional=False, results=9
    )
    assert ann.name not in client.get("/ratings/").content.decode()
    assert client.get(f"/ratings/players/{ann.public_id}/").status_code == 404
    assert own.get(f"/ratings/players/{ann.public_id}/").status_code == 200


def test_privacy_settings_need_a_login_and_refuse_unknown_values(
    client: Client, player: Player
) -> None:
    assert Client().get("/shown/").status_code == 302
    answer = client.post("/shown/", {"replays": "some"})
    assert answer.status_code == 422
    player.refresh_from_db()
    assert player.replays == Player.Replays.WATCHED


def test_others_best_hands_are_shown_only_from_visible_matches(client: Client) -> None:
    for seed, watchable in enumerate((True, False)):
        match, (ann, _) = measured(seed, watchable=watchable)
        own = profile.best_hands(player=ann, viewer=ann)
        assert len(own) == profile.BEST
        points = [hand.points for hand in own]
        assert points == sorted(points, reverse=True)
        best = Seat.objects.get(match=match, player=ann).best_hand
        assert points[0] == best
        strangers = profile.best_hands(player=ann, viewer=None)
        assert strangers == (own if watchable else [])


def test_cards_of_an_open_standard_game_are_hidden_from_others(client: Client) -> None:
    match, (ann, _) = measured()
    game = standard(match)
    assert profile.best_hands(player=ann, viewer=None) == []
    assert profile.best_hands(player=ann, viewer=ann) != []
    assert records.highest_hands() == []
    StandardGame.objects.filter(pk=game.pk).update(state="closed")
    assert records.highest_hands() != []
    again = ended(create_guest(), watchable=True)
    Match.objects.filter(pk=again.pk).update(status=Match.Status.PLAYING, winner=None)
    Play.objects.create(standard_game=game, match=again, kind="ranked")
    assert records.highest_hands() == []


def test_the_cards_of_a_best_hand_are_the_four_kept_and_the_starter() -> None:
    _, (ann, _) = measured()
    parts = player_stats.hands_of_seats(Seat.objects.filter(player=ann))
    counted = {
        (frozenset(part.dealt.split()) - frozenset(part.discarded.split()), part.hand.starter):
        player_stats.hand_points(part)
        for part in parts
    }  # fmt: skip
    for hand in profile.best_hands(player=ann, viewer=ann):
        assert counted[frozenset(hand.cards.split()), hand.starter] == hand.points


def test_averages_are_compared_with_the_value_of_the_cards_and_the_field() -> None:
    people = [person for seed in range(3) for person in measured(seed)[1]]
    for dealer in (False, True):
        rows = Tally.objects.filter(seats=2, dealer=dealer)
        field = sum(row.hands for row in rows) / sum(row.starters for row in rows)
        worth = sum(row.worth_hands for row in rows) / sum(row.starters for row in rows)
        for person in people:
            own = rows.get(player=person)
            found = next(
                line for line in averages.averages(player=person, seats=2)
                if line.item == "hand" and line.dealer == dealer
            )  # fmt: skip
            assert found.own == pytest.approx(own.hands / own.starters)
            assert found.worth == pytest.approx(own.worth_hands / own.starters)
            assert found.field == pytest.approx(field)
            assert found.field_worth == pytest.approx(worth)
            assert found.difference == pytest.approx((own.hands - own.worth_hands) / own.starters)


def test_the_luck_band_is_the_95_percent_interval_of_the_mean(player: Player) -> None:
    Tally.objects.create(
        player=player, seats=2, dealer=True, deals=100, starters=100,
        deal_luck=50.0, deal_variance=900.0, starter_luck=-60.0, starter_variance=400.0,
        crib_luck=3.0, crib_variance=400.0,
    )  # fmt: skip
    deals, starters, cribs = averages.luck_summaries(player=player)
    assert (deals.kind, deals.number, deals.mean) == ("deals", 100, 0.5)
    assert deals.band == pytest.approx(1.96 * sqrt(900) / 100)
    assert deals.is_within
    assert not starters.is_within
    assert (cribs.total, cribs.is_within) == (3.0, True)


def test_luck_is_shown_only_to_the_player_with_chart_and_table(client: Client) -> None:
    _, (ann, bob) = measured()
    client.force_login(ann)
    page = page_of(client, ann)
    assert "My luck" in page
    assert page.index('class="band"', page.index('id="luck"')) < page.index("Total points")
    assert "My luck" not in page_of(client, bob)


def test_the_luck_chart_has_zero_in_the_middle_and_dots_in_place() -> None:
    lucky, unlucky = luck_rows(
        [
            averages.LuckSummary("deals", 10, 0.5, 1.0, 5.0),
            averages.LuckSummary("starters", 10, -2.0, 1.0, -20.0),
        ]
    )
    right, left = (dot_of(row.chart) for row in (lucky, unlucky))
    assert 0 < left < 50 < right < 100
    assert 'class="dot"' in lucky.chart
    assert 'class="dot outside"' in unlucky.chart
    assert luck_rows([]) == []


def test_averages_are_dots_beside_the_value_of_the_cards() -> None:
    above = averages.Average("hand", True, 10, 8.0, 7.5, 7.0, 7.5, band=0.25)
    below = averages.Average("pegging", True, 10, 2.0, 2.5, 2.5, 2.5)
    unknown = averages.Average("crib", True, 0, None, None, 4.0, 4.0)
    rows = average_rows([above, below, unknown])
    assert dot_of(rows[0].chart) - 50 == pytest.approx(50 - dot_of(rows[1].chart), abs=0.1)
    assert 'class="band"' in rows[0].chart
    assert 'class="band"' not in rows[1].chart, "luck at pegging has no exact measure"
    assert rows[2].chart == ""


def test_the_calendar_counts_the_days_played_and_is_shown_only_to_the_player(
    client: Client,
) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    for days in (0, 0, 3, 400):
        ended(ann, bob, ago=timedelta(days=days))
    today = timezone.localdate()
    played = profile.days_played(player=ann, since=first_day(today))
    assert sorted(day.matches for day in played.values()) == [1, 2]
    assert all(day.won == day.matches for day in played.values())
    assert profile.days_played(player=bob, since=today)[today] == profile.DayPlayed(2, 0)
    client.force_login(ann)
    assert "Matches: 3. Days played: 2." in page_of(client, ann)
    assert "Days: " not in page_of(client, bob)


@pytest.mark.parametrize(
    ("matches", "level"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (7, 4), (90, 4)]
)
def test_a_day_is_darker_with_more_matches(matches: int, level: int) -> None:
    assert level_of(matches) == level


def test_the_calendar_is_small_and_begins_on_a_monday() -> None:
    today = date(2026, 11, 25)
    days = {first_day(today) + timedelta(days=at): at % 9 for at in range(180)}
    picture = calendar(days, today=today)
    assert first_day(today).weekday() == 0
    assert len(picture) < 6000
    assert picture.count("h10v10h-10z") == (today - first_day(today)).days + 1


def test_a_profile_needs_a_constant_number_of_queries(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    _, (ann, bob) = measured()
    for days in range(9):
        ended(ann, bob, ago=timedelta(days=days))
    client.force_login(ann)
    with django_assert_max_num_queries(35):
        page_of(client, ann)


def dot_of(chart: str) -> float:
    """Return where the dot of a row is, as a percentage of its width."""
    found = re.search(r'<circle class="dot[^"]*" cx="([\d.]+)%?"', chart)
    assert found is not None
    return float(found[1])


def test_random_luck_is_mostly_within_its_band() -> None:
    inside = total = 0
    for seed in range(12):
        for person in measured(seed + 100)[1]:
            for fortune in averages.luck_summaries(player=person):
                inside += fortune.is_within
                total += 1
    assert total == 72
    assert inside >= 62  # 68.4 are expected


def test_recent_matches_include_only_those_the_viewer_may_see(
    client: Client, player: Player
) -> None:
    ann = create_guest()
    hidden, public = ended(ann), ended(ann, watchable=True)
    shared = ended(ann, player)
    seen = [line.seat.match for line in profile.recent(player=ann, viewer=player)]
    assert seen == [shared, public]
    assert [line.seat.match for line in profile.recent(player=ann, viewer=None)] == [public]
    assert hidden in [line.seat.match for line in profile.recent(player=ann, viewer=ann)]


@pytest.mark.parametrize("replays", Player.Replays.values)
@pytest.mark.parametrize("fields", [{}, {"watchable": True}, {"imported": True}])
def test_listed_matches_are_exactly_those_the_viewer_may_see(
    replays: str, fields: dict[str, Any]
) -> None:
    ann, bob, eve = (create_guest() for _ in range(3))
    match = ended(ann, bob, created_by=ann, **fields)
    Player.objects.update(replays=replays)
    for viewer in (ann, bob, eve, None):
        row = Match.objects.prefetch_related("seats__player").get(pk=match.pk)
        assert (access.visible_in_lists([row], viewer) == [row]) == access.may_see(row, viewer)


def test_the_longest_streaks_are_listed_in_order(client: Client) -> None:
    now = timezone.now()
    ann, bob, eve = (create_guest(name=name) for name in ("Ann", "Bob", "Eve"))
    for person, wins in ((ann, 3), (bob, 5), (eve, 1)):
        for _ in range(wins):
            player_stats.add_result(player=person.pk, won=True, at=now)
    assert [form.player for form in records.longest_streaks()] == [bob, ann]
    Player.objects.filter(pk=bob.pk).update(is_active=False)
    assert [form.player for form in records.longest_streaks()] == [ann], "bob's account is closed"
    Player.objects.filter(pk=bob.pk).update(is_active=True)
    page = client.get("/records/").content.decode()
    assert page.index("Bob") < page.index("Ann")
    assert "Eve" not in strip_tags(page)  # tokens of forms are random letters


def test_todays_tables_and_matches_include_only_watchable_ones(client: Client) -> None:
    ann, bob = create_guest(name="Ann"), create_guest(name="Bob")
    ended(ann, bob)
    shown = ended(ann, bob, watchable=True)
    ended(ann, bob, watchable=True, ago=timedelta(days=2))
    assert records.todays_matches() == [shown]
    live = create_match(creator=ann, ruleset=Ruleset(), computers={1: "poppy"}, watchable=True)
    create_match(creator=ann, ruleset=Ruleset(), computers={1: "poppy"})
    assert records.live_tables() == [live]
    page = client.get("/records/").content.decode()
    assert f"/t/{live.public_id}/" in page
    assert f"/matches/{shown.public_id}/" in page
    Player.objects.filter(pk=ann.pk).update(private=True)
    assert records.todays_matches() == records.live_tables() == []


def test_records_without_matches_are_explained(client: Client) -> None:
    page = client.get("/records/").content.decode()
    assert "No public matches yet." in page
    assert "Win two matches in a row to start this list." in page


def test_the_number_of_queries_does_not_depend_on_the_number_of_matches(
    client: Client, player: Player
) -> None:
    _, (ann, _) = measured()

    def statements(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        return len(queries)

    ended(ann, player, watchable=True)
    ended(ann, computer_of("poppy"), watchable=True)
    paths = ["/records/", f"/players/{ann.public_id}/"]
    for path in paths:
        client.get(path)  # fill the caches
    few = [statements(path) for path in paths]
    for seed in range(3):
        more, _ = measured(seed + 20)
        Seat.objects.filter(match=more, seat=0).update(player=ann)
        ended(ann, computer_of("poppy"), watchable=True)
        ended(ann, player)
    assert [statements(path) for path in paths] == few
    assert max(few) <= 33


def test_an_unknown_player_id_is_not_found(client: Client) -> None:
    assert client.get("/players/nosuchone/").status_code == 404
