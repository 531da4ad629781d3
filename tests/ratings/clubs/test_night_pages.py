"""Pages of club nights: what they show, and to whom."""

import csv
import re
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Player
from games.tables.forfeit import leave_for_good
from ratings.clubs import night_standings as selectors
from ratings.clubs import nights
from ratings.clubs.acc_scoring import Score
from ratings.clubs.night_recap import recap_of
from ratings.models import Attempt, ClubNight, Play, Record, StandardGame
from ratings.standard import access, catalogue
from tests.support.evenings import (
    begun,
    club_of,
    lines_of,
    night_of,
    play_all,
    play_out,
    seated,
    under_way,
)
from tests.support.moderators import ban
from tests.support.people import as_
from tests.support.standard_tables import people

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("same_night")]


class TestSecrets:
    def test_a_nights_games_are_not_used_elsewhere(self) -> None:
        night, _ = begun(4, games=1)
        pairs = people(2, 70), people(2, 80)
        lent = catalogue.choose_game(players=pairs[0])
        catalogue.start_match(game=lent, players=pairs[0], kind=Play.Kind.RANKED)
        assert lent.pk != StandardGame.objects.get(night_game__night=night).pk
        play_all(night)
        again = catalogue.choose_game(players=pairs[1])
        assert again.pk == lent.pk

    def test_a_nights_game_does_not_close_when_played_often(self) -> None:
        night, _ = begun(4, games=1)
        StandardGame.objects.filter(night_game__night=night).update(plays=catalogue.CLOSES_AT)
        play_out(under_way(night)[0])
        game = StandardGame.objects.get(night_game__night=night)
        assert game.is_open
        assert not access.cards_are_public(game)

    def test_results_are_hidden_from_players_who_may_still_play_these_cards(self) -> None:
        night, members = begun(4, games=1)
        first, second = under_way(night)
        play_out(first)
        for viewer in (None, *seated(second), people(1, 90)[0]):
            sheet = selectors.sheet(night=night, viewer=viewer)
            assert all(line.total.played == 0 for line in sheet.lines)
            assert all(table.scores is None for game in sheet.games for table in game.tables)
        done = seated(first)[0]
        sheet = selectors.sheet(night=night, viewer=done)
        assert sorted(line.total.played for line in sheet.lines) == [0, 0, 1, 1]
        play_out(second)
        sheet = selectors.sheet(night=night, viewer=None)
        assert [line.total.played for line in sheet.lines] == [1] * 4
        assert {line.entrant.player for line in sheet.lines} == set(members)

    def test_a_leaver_sees_no_result_either(self) -> None:
        night, _ = begun(4, games=1)
        first, _other = under_way(night)
        left = seated(first)[0]
        leave_for_good(match=first.pk, seat=0)
        play_out(first)
        assert all(line.total.played == 0 for line in lines_of(night, left))

    def test_no_page_shows_cards_of_a_running_game(self) -> None:
        night, _ = begun(4, games=1)
        first, second = under_way(night)
        play_out(first)
        game = StandardGame.objects.select_related("decks").get(night_game__night=night)
        waiting = as_(seated(second)[0])
        for path in (f"/standard/{game.pk}/", f"/standard/{game.pk}/verify/deals.txt",
                     f"/matches/{first.public_id}/"):  # fmt: skip
            assert waiting.get(path).status_code == 404, path
        for page in ("", "live/", "standings.csv"):
            text = waiting.get(f"/clubs/night/{night.token}/{page}").content.decode()
            assert "card-face" not in text
            assert game.decks.packs[0] not in text
            assert game.salt not in text
        assert game.salt not in waiting.get(f"/standard/{game.pk}/verify/").content.decode()

    def test_cards_are_public_once_the_night_is_over(self) -> None:
        night, members = begun(2, games=1)
        play_all(night)
        game = StandardGame.objects.get(night_game__night=night)
        assert access.cards_are_public(game)
        assert as_(members[0]).get(f"/standard/{game.pk}/").status_code == 200

    def test_club_nights_change_no_ratings_or_records(self) -> None:
        night, members = begun(2, games=1)
        play_all(night)
        play = Play.objects.get(kind=Play.Kind.CLUB)
        assert play.exclusion == Play.Exclusion.CHOSEN
        assert not Record.objects.exists()
        assert not members[0].ratings.exists()


class TestThePage:
    def test_each_result_is_compared_with_the_field_of_its_seat(self) -> None:
        night, _ = begun(4, games=1)
        night = play_all(night)
        sheet = selectors.sheet(night=night, viewer=None)
        by_seat: dict[int, list[float]] = {0: [], 1: []}
        for line in sheet.lines:
            attempt = Attempt.objects.get(
                play__night_table__game__night=night, player=line.entrant.player
            )
            by_seat[attempt.seat].append(line.above or 0.0)
        for above in by_seat.values():  # no one else has held these cards
            assert sum(above) == pytest.approx(0.0)

    def test_an_unchanged_page_is_answered_with_304(self) -> None:
        night, members = begun(4, games=1)
        client = as_(members[0])
        live = f"/clubs/night/{night.token}/live/"
        first = client.get(live)
        assert first.status_code == 200
        same = client.get(live, headers={"If-None-Match": first["ETag"]})
        assert (same.status_code, same.content) == (304, b"")
        play_out(under_way(night)[0])
        assert client.get(live, headers={"If-None-Match": first["ETag"]}).status_code == 200

    def test_a_page_shows_without_a_reload_that_a_player_was_banned(self) -> None:
        """They sit at no table of the night, which would end and change the page anyway."""
        club, members = club_of(4)
        night = night_of(club, members[0], entrants=members)
        client, live = as_(members[0]), f"/clubs/night/{night.token}/live/"
        first = client.get(live)
        assert members[3].name in first.content.decode()
        ban(members[3])
        after = client.get(live, headers={"If-None-Match": first["ETag"]})
        assert after.status_code == 200
        assert "away" in after.content.decode()

    def test_the_page_leads_to_the_players_own_table(self) -> None:
        night, _ = begun(4, games=1)
        match = under_way(night)[0]
        page = as_(seated(match)[1]).get(f"/clubs/night/{night.token}/live/").content.decode()
        assert f'data-table="/t/{match.public_id}/"' in page

    def test_the_number_of_queries_does_not_depend_on_the_number_of_players(self) -> None:
        def queries(number: int, start: int) -> int:
            club, members = club_of(number, start)
            night = night_of(club, members[0], games=1, entrants=members)
            nights.begin(night=night, by=members[0])
            for match in under_way(night):
                play_out(match)
            client = as_(members[0])
            address = f"/clubs/night/{night.token}/"
            client.get(address)
            with CaptureQueriesContext(connection) as asked:
                assert client.get(address).status_code == 200
            return len(asked)

        assert queries(8, 100) == queries(2, 200)

    @pytest.mark.parametrize("games", [1, 2])
    def test_no_player_is_told_to_wait_for_a_game_that_never_comes(self, games: int) -> None:
        night, members = begun(4, games=games)
        first, _ = under_way(night)
        client = as_(seated(first)[0])
        address = f"/clubs/night/{night.token}/live/"
        tag = client.get(address)["ETag"]
        if games > 1:
            nights.end(night=night, by=members[0])
            assert client.get(address, headers={"If-None-Match": tag}).status_code == 200
        play_out(first)
        page = client.get(address).content.decode()
        assert "1 table still playing" in page
        assert "your next game" not in page

    def test_the_wall_shows_what_anyone_may_see_whoever_is_logged_in(self) -> None:
        night, _ = begun(4, games=1)
        first, _other = under_way(night)
        play_out(first)
        done = seated(first)[0]
        address = f"/clubs/night/{night.token}/"
        score = re.compile(r"<strong>\d+ : \d+</strong>")
        assert score.search(as_(done).get(address).content.decode())
        done.moderator_news = True
        done.save()
        notice = "You have a message from the moderators"
        assert notice in as_(done).get(address).content.decode()
        wall = as_(done).get(f"{address}wall/").content.decode()
        assert notice not in wall
        live = as_(done).get(f"{address}wall/live/").content.decode()
        for text in (wall, live):
            assert done.name in text
            assert not score.search(text)
            assert "tag-own" not in text

    def test_the_wall_invites_while_players_may_still_join(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], games=1)
        address = f"/clubs/night/{night.token}/"
        reader = Client()
        wall = reader.get(f"{address}wall/").content.decode()
        assert f"{address}code.svg" in wall
        assert "Be the first." in wall
        assert night.starts_at.isoformat()[:16] in wall
        for player in members:
            nights.join(night=night, player=player)
        assert "2 players so far." in reader.get(f"{address}wall/").content.decode()
        assert b"<svg" in reader.get(f"{address}code.svg").content
        nights.begin(night=night, by=members[0])
        assert "code.svg" not in reader.get(f"{address}wall/").content.decode()
        assert reader.get("/clubs/night/nosuch/wall/").status_code == 404

    def test_the_wall_of_a_night_without_games_has_no_standings(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        ClubNight.objects.filter(pk=night.pk).update(state=ClubNight.State.OVER)
        wall = Client().get(f"/clubs/night/{night.token}/wall/").content.decode()
        assert "No games were played." in wall
        assert members[1].name in wall
        assert "Standings" not in wall

    def test_the_page_counts_down_to_the_start_and_to_the_next_game(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], games=9, entrants=members)
        assert (
            selectors.seconds_left(night=night, now=night.starts_at - timedelta(minutes=2)) == 120
        )
        assert selectors.seconds_left(night=night, now=night.starts_at + timedelta(minutes=1)) == 0
        assert "Starts in" in Client().get(f"/clubs/night/{night.token}/").content.decode()
        nights.begin(night=night, by=members[0])
        night.refresh_from_db()
        began = night.night_games.get(number=1).began_at
        assert began is not None
        assert selectors.seconds_left(night=night, now=began) == 25 * 60
        assert (
            "Time left for this game"
            in Client().get(f"/clubs/night/{night.token}/").content.decode()
        )

    def test_a_night_that_is_over_is_told_in_a_recap(self) -> None:
        night, members = begun(4, games=1)
        page = f"/clubs/night/{night.token}/"
        assert "of the night" not in as_(members[0]).get(page).content.decode()
        night = play_all(night)
        lines = lines_of(night)
        recap = recap_of(lines)
        assert recap is not None
        assert [line.place for line in recap.winners] == [1] * len(recap.winners)
        assert recap.biggest is not None
        assert recap.biggest[1].score.spread == max(
            result.score.spread for line in lines for result in line.results if result
        )
        text = as_(members[0]).get(page).content.decode()
        assert "of the night" in text
        assert f"Biggest win: {recap.biggest[0].entrant.player.name} beat" in text

    def test_a_recap_calls_no_one_best_when_no_one_was_above_the_others(self) -> None:
        night, _ = begun(4, games=1)
        lines = [replace(line, above=0.0) for line in lines_of(play_all(night))]
        recap = recap_of(lines)
        assert recap is not None
        assert recap.sharpest is None

    def test_a_recap_praises_no_win_by_the_computers_and_no_one_who_left(self) -> None:
        night, members = begun(2, games=1)
        match = under_way(night)[0]
        leave_for_good(match=match.pk, seat=seated(match).index(members[0]))
        play_out(match)
        night = ClubNight.objects.get(pk=night.pk)
        lines = lines_of(night)
        recap = recap_of(lines)
        assert recap is not None
        assert [line.entrant.player for line in recap.winners] == [members[1]]
        assert recap.sharpest is None or recap.sharpest.entrant.player == members[1]
        page = as_(members[1]).get(f"/clubs/night/{night.token}/").content.decode()
        assert page.count("forfeited by") == 1
        assert f"forfeited by {members[0].name}" in page
        praised = recap_of(
            [replace(line, above=above) for line, above in zip(lines, (1.0, 5.0), strict=True)]
        )
        assert praised is not None
        assert praised.sharpest is not None
        assert praised.sharpest.entrant.player == members[1]
        # The computer that played on may have been ahead, or not.
        won = next(line for line in lines if line.entrant.player == members[1]).results[0]
        assert won is not None
        assert recap.biggest == ((recap.winners[0], won) if won.score.spread > 0 else None)
        lost = replace(won, score=Score(0, -20))
        only = replace(recap.winners[0], results=(lost,))
        beaten = recap_of([only])
        assert beaten is not None
        assert beaten.biggest is None

    def test_the_csv_file_has_the_standings_and_no_formulas(self) -> None:
        night, members = begun(2, games=1)
        Player.objects.filter(pk=members[0].pk).update(name='=HYPERLINK("x")')
        play_all(night)
        answer = as_(members[1]).get(f"/clubs/night/{night.token}/standings.csv")
        assert answer["Content-Disposition"].startswith("attachment")
        rows = list(csv.DictReader(StringIO(answer.content.decode())))
        assert {row["player"] for row in rows} == {'\'=HYPERLINK("x")', members[1].name}
        assert {row["game_1_opponent"] for row in rows} == {row["player"] for row in rows}
        assert sorted(int(row["game_points"]) for row in rows) in ([0, 2], [0, 3])
        assert sum(int(row["spread"]) for row in rows) == 0


def golden(page: str) -> list[str]:
    """Return the texts of the primary buttons of a page."""
    found = re.findall(r'<button class="([^"]*)"[^>]*>(.*?)</button>', page.split("<main")[1])
    quiet = ("button-plain", "button-felt")
    return [text for style, text in found if not any(name in style for name in quiet)]


class TestTheOrganisersButtons:
    def test_before_the_planned_time_they_invite_and_start_only_after_a_question(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        page = as_(members[0]).get(f"/clubs/night/{night.token}/").content.decode()
        assert golden(page) == ["Copy link"]
        (asked,) = re.findall(r"<summary>Start early</summary>(.*?)</details>", page, re.DOTALL)
        assert "without waiting for the planned time" in asked
        assert "Draw and start now" in asked
        assert page.count("Draw and start now") == 1

    def test_from_the_planned_time_on_they_start(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        ClubNight.objects.filter(pk=night.pk).update(starts_at=timezone.now(), by_hand=True)
        page = as_(members[0]).get(f"/clubs/night/{night.token}/").content.decode()
        assert golden(page) == ["Draw and start now"]
        assert "Start early" not in page

    def test_players_who_join_are_not_asked_to_start(self) -> None:
        club, members = club_of(3)
        night = night_of(club, members[0])
        page = as_(members[2]).get(f"/clubs/night/{night.token}/").content.decode()
        assert golden(page) == ["Join the night"]

    def test_the_page_hears_that_the_planned_time_has_come(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        organiser, live = as_(members[0]), f"/clubs/night/{night.token}/live/"
        tag = organiser.get(live).headers["ETag"]
        assert organiser.get(live, headers={"If-None-Match": tag}).status_code == 304
        monkeypatch.setattr(timezone, "now", lambda: night.starts_at)
        assert organiser.get(live, headers={"If-None-Match": tag}).status_code == 200
