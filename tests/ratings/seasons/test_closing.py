"""Seasons open, are counted, become final once, and keep their standings."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from games.models import Player
from games.safety.moderation import moderate
from ratings.model.constants import CONSTANTS
from ratings.models import Attempt, Play, Rating, Season, SeasonEntry, StandardGame
from ratings.rating.moderation import remove_results
from ratings.seasons import closing, counting, season_lists
from ratings.seasons.closing import GRACE, advance_all
from ratings.standard import catalogue
from ratings.standard import decks as packing
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db

MAY = datetime(2026, 5, 20, 12, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, tzinfo=UTC)
Name = tuple[str, int]


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two games in a month, and three in a year, be enough for a place."""
    monkeypatch.setitem(counting.MIN_GAMES, "month", 2)
    monkeypatch.setitem(counting.MIN_GAMES, "year", 3)


def new_game() -> StandardGame:
    game = catalogue.make(seats=2, packs=packing.new_packs(packing.HANDS))
    StandardGame.objects.filter(pk=game.pk).update(par=[0.0, 0.0])
    return game


def played(
    game: StandardGame,
    players: Sequence[Player],
    margin: float,
    at: datetime,
    kind: str = Play.Kind.RANKED,
    exclusion: str = "",
) -> Play:
    """Store the result of a table without playing it."""
    play = Play.objects.create(standard_game=game, kind=kind, exclusion=exclusion, finished_at=at)
    for seat, player in enumerate(players):
        own = margin if seat == 0 else -margin
        Attempt.objects.create(
            play=play, standard_game=game, player=player, seat=seat, margin=own, counted=own,
            won=own > 0, ended=Attempt.Ended.PLAYED, computer=player.is_computer,
        )  # fmt: skip
    return play


def month(name: str = "2026-05") -> Season:
    return Season.objects.get(kind="month", starts_on=date.fromisoformat(f"{name}-01"))


def standing(season: Season) -> dict[str, int | None]:
    return {row.player.name: row.place for row in season.entries.select_related("player")}


def may_of_four() -> list[Player]:
    """Play two games in May in which the first two beat the last two."""
    ann, bob, cat, dan = people(4)
    for margin in (20.0, 10.0):
        game = new_game()
        played(game, (ann, cat), margin, MAY)
        played(game, (bob, dan), margin - 6.0, MAY)
    return [ann, bob, cat, dan]


def test_standings_are_places_by_score_among_those_with_enough_games() -> None:
    ann, bob, cat, dan = may_of_four()
    (eve,) = people(1, start=9)
    played(new_game(), (eve, cat), 60.0, MAY)
    advance_all(now=MAY)
    may = month()
    assert not may.is_final
    found = standing(may)
    assert found[eve.name] is None
    assert [found[one.name] for one in (ann, bob, dan)] == [1, 2, 3]
    assert found[cat.name] == 4
    assert not may.entries.filter(titled=True).exists()


def test_only_ranked_games_that_count_and_ended_in_the_month_count() -> None:
    ann, bob, cat, dan = people(4)
    may = MAY.replace(day=31, hour=23, minute=59, second=59)
    played(new_game(), (ann, bob), 5.0, may)
    played(new_game(), (ann, bob), 5.0, JUNE)
    played(new_game(), (ann, bob), 5.0, MAY, exclusion=Play.Exclusion.PAIR_CAP)
    played(new_game(), (cat, dan), 5.0, MAY, kind=Play.Kind.DAILY)
    advance_all(now=may)
    assert {row.player_id: row.games for row in month().entries.all()} == {ann.pk: 1, bob.pk: 1}


def test_guests_and_private_players_have_no_place_but_show_what_cards_were_worth() -> None:
    ann, bob = people(2)
    guest, other = people(2, start=5)
    Player.objects.filter(pk__in=[guest.pk, other.pk]).update(kind="guest")
    Player.objects.filter(pk=bob.pk).update(private=True)
    for _ in range(2):
        game = new_game()
        played(game, (ann, guest), 10.0, MAY)
        played(game, (bob, other), 30.0, MAY)
    advance_all(now=MAY)
    entry = month().entries.get()
    assert (entry.player, entry.place) == (ann, 1)
    assert entry.average < 10.0


def test_results_of_others_after_the_end_move_a_season_until_it_is_final() -> None:
    ann, bob, *_others = may_of_four()
    game = Attempt.objects.filter(player=ann).order_by("pk")[0].standard_game
    advance_all(now=MAY)
    before = month().entries.get(player=ann).score
    played(game, people(2, start=20), 60.0, JUNE + timedelta(hours=5))
    advance_all(now=JUNE + GRACE - timedelta(seconds=1))
    after = month().entries.get(player=ann).score
    assert after < before
    assert not month().is_final
    advance_all(now=JUNE + GRACE)
    assert month().is_final
    titles = month().entries.filter(titled=True).order_by("place")
    assert [row.player for row in titles] == [ann, bob]
    played(game, people(2, start=30), 60.0, JUNE + timedelta(days=9))
    advance_all(now=JUNE + timedelta(days=10))
    assert month().entries.get(player=ann).score == after
    assert set(standing(month("2026-06")).values()) == {None}


def test_a_repeated_or_concurrent_close_changes_nothing() -> None:
    may_of_four()
    advance_all(now=MAY)
    end = JUNE + GRACE
    advance_all(now=end)
    kept = list(SeasonEntry.objects.order_by("pk").values())
    counted = month().counted_at
    Play.objects.update(exclusion=Play.Exclusion.REMOVED)
    for later in (end, end + timedelta(days=1)):
        closing.advance(season=month().pk, now=later)
    year = Season.objects.get(kind="year").pk
    found = SeasonEntry.objects.order_by("pk").exclude(season=year)
    assert list(found.values()) == [row for row in kept if row["season_id"] != year]
    assert month().counted_at == counted


def test_a_close_that_dies_leaves_the_season_open_and_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_of_four()
    advance_all(now=MAY)
    before = list(SeasonEntry.objects.order_by("pk").values())

    def dies(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Season, "save", dies)
        with pytest.raises(KeyboardInterrupt):
            closing.advance(season=month().pk, now=JUNE + GRACE)
    assert not month().is_final
    assert list(SeasonEntry.objects.order_by("pk").values()) == before
    closing.advance(season=month().pk, now=JUNE + GRACE)
    assert month().entries.filter(titled=True).count() == 2


def test_a_year_counts_all_its_months() -> None:
    ann, bob = people(2)
    for at in (MAY, JUNE, JUNE + timedelta(days=40)):
        played(new_game(), (ann, bob), 10.0, at)
    advance_all(now=JUNE + timedelta(days=41))
    year = Season.objects.get(kind="year")
    assert {row.player_id: (row.games, row.place) for row in year.entries.all()} == {
        ann.pk: (3, 1),
        bob.pk: (3, 2),
    }


def test_removed_results_withdraw_titles_and_restored_ones_bring_them_back(
    client: Client,
) -> None:
    ann, *_others = may_of_four()
    advance_all(now=MAY)
    advance_all(now=JUNE + GRACE)
    keeper = Player.objects.create_superuser("Keeper", password="x")
    pages = (f"/players/{ann.public_id}/", "/ranked/seasons/2026-05/")

    def shown() -> list[bool]:
        return [
            "season-medal-1" in client.get(pages[0]).content.decode(),
            ann.name in client.get(pages[1]).content.decode(),
        ]

    found = [shown()]
    for action in ("remove", "restore"):
        moderate(moderator=keeper, player=ann, action=action, reason="checked")
        found.append(shown())
    assert found == [[True, True], [False, False], [True, True]]


def test_results_that_are_removed_while_a_season_is_closed_win_no_title(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, bob, _cat, dan = may_of_four()
    advance_all(now=MAY)
    keeper = Player.objects.create_superuser("Keeper", password="x")

    def counted_too_early(*, season: Season, final: bool) -> list[SeasonEntry]:
        found = counting.entries_of(season=season, final=final)
        moderate(moderator=keeper, player=ann, action="remove", reason="checked")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(closing, "entries_of", counted_too_early)
        closing.advance(season=month().pk, now=JUNE + GRACE)
    advance_all(now=JUNE + GRACE + timedelta(hours=1))
    assert month().is_final
    assert set(standing(month())) == {bob.name, dan.name}


@pytest.mark.parametrize("change", [{"kind": "guest"}, {"private": True}])
def test_who_can_have_no_place_is_not_promised_one(change: dict[str, Any]) -> None:
    ann, *_others = may_of_four()
    advance_all(now=MAY)
    assert season_lists.own(season=month(), seats=2, player=ann) is not None
    Player.objects.filter(pk=ann.pk).update(**change)
    ann.refresh_from_db()
    assert season_lists.own(season=month(), seats=2, player=ann) is None


def test_a_deleted_account_leaves_a_gap() -> None:
    ann, bob, *_others = may_of_four()
    advance_all(now=MAY)
    advance_all(now=JUNE + GRACE)
    closing.forget(player=ann.pk)
    assert standing(month()).get(ann.name) is None
    assert standing(month())[bob.name] == 2


def test_the_open_season_follows_removed_results() -> None:
    ann, bob, _cat, dan = may_of_four()
    advance_all(now=MAY)
    remove_results(player=ann.pk)
    advance_all(now=MAY + timedelta(hours=1))
    assert set(standing(month())) == {bob.name, dan.name}


def test_opponents_ratings_enter_the_score() -> None:
    ann, bob = people(2)
    for _ in range(2):
        played(new_game(), (ann, bob), 0.0, MAY)
    Rating.objects.create(
        player=bob, seats=2, skill=7.0, rating=1596.0, rd=30.0, floor=1566.0, provisional=False,
        results=99, constants="2-1-par",
    )  # fmt: skip
    advance_all(now=MAY)
    mu = CONSTANTS[2].mu[0]
    assert month().entries.get(player=ann).average == pytest.approx(7.0 - mu)


def test_the_winners_of_the_newest_month_and_year_wear_a_medal_on_the_leaderboard(
    client: Client,
) -> None:
    ann, bob, *_others = may_of_four()
    for player in (ann, bob):
        Rating.objects.create(
            player=player, seats=2, skill=1.0, rating=1510.0, rd=30.0, floor=1480.0,
            provisional=False, results=9, constants="2-1-par",
        )  # fmt: skip
    advance_all(now=MAY)
    assert "season-badge" not in client.get("/ratings/").content.decode()
    advance_all(now=JUNE + GRACE)
    page = client.get("/ratings/").content.decode()
    assert page.count("season-badge") == 1
    assert "/ranked/seasons/2026-05/" in page
    advance_all(now=JUNE + timedelta(days=33))  # June is over, without players
    assert "season-badge" not in client.get("/ratings/").content.decode()


def test_in_the_list_of_past_seasons_only_those_with_a_title_wear_a_medal(client: Client) -> None:
    ann, bob, _cat, dan = may_of_four()
    advance_all(now=MAY)
    for moment, medals in ((JUNE, []), (JUNE + GRACE, [1, 2])):
        advance_all(now=moment)
        page = client.get("/ranked/seasons/").content.decode().split('id="past"')[1]
        assert all(player.name in page for player in (ann, bob, dan))
        assert [n for n in (1, 2, 3) if f"season-medal-{n}" in page] == medals


def test_a_final_season_that_nobody_won_promises_no_place(client: Client) -> None:
    may_of_four()
    for moment in (MAY, JUNE + GRACE):
        advance_all(now=moment)
    assert month().is_final
    page = client.get("/ranked/seasons/2026-05/?seats=3").content.decode()
    standings = page[page.index('id="standings"') : page.index('id="past"')]
    assert "No one had a place." in standings
    assert "No one has a place yet" not in page


def test_pages_of_seasons_say_what_they_are_and_odd_names_are_not_found(client: Client) -> None:
    ann, *_others = may_of_four()
    assert "first season opens" in client.get("/ranked/seasons/").content.decode()
    advance_all(now=MAY)
    page = client.get("/ranked/seasons/2026-05/").content.decode()
    assert ann.name in page
    assert "Not final yet" in page
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    assert 'id="own"' in client.get("/ranked/seasons/2026-05/").content.decode()
    assert (
        "No one has a place yet" in client.get("/ranked/seasons/2026-05/?seats=3").content.decode()
    )
    for name in ("2026-13", "2026-00", "2025", "0000", "20266", "x"):
        assert client.get(f"/ranked/seasons/{name}/").status_code == 404, name
