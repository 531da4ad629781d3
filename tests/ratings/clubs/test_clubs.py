"""Clubs: creation, invitation links, roles, tables and leaderboard."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.api import Refused, Ruleset
from games.models import Match, Player
from games.safety.erasure import erase
from games.tables.tables import create_match, join_match
from ratings.clubs import club_pages as selectors
from ratings.clubs import clubs, nights
from ratings.clubs.player_data import export_of
from ratings.models import Club, ClubNight, Membership, Rating
from ratings.pages.forms import USUAL_LENGTH, NightForm
from tests.support.evenings import club_of, night_of
from tests.support.people import as_
from tests.support.standard_tables import people, play_on

pytestmark = pytest.mark.django_db

ROLES = Membership.Role


def refusal_of(service: Callable[..., object], **arguments: object) -> str:
    with pytest.raises(Refused) as refusal:
        service(**arguments)
    return refusal.value.code


def role_of(club: Club, player: Player) -> str | None:
    row = club.memberships.filter(player=player).first()
    return row.role if row else None


class TestMembers:
    def test_a_club_has_its_founder_and_members_who_join_by_link(self) -> None:
        ann, bob = people(2)
        page = as_(ann).post("/clubs/found/", {"name": "Pegs", "description": "Thursdays"})
        club = Club.objects.get()
        assert page["Location"] == f"/clubs/{club.public_id}/"
        assert role_of(club, ann) == ROLES.FOUNDER
        # Nothing else can be done in a club of one.
        invite = '<a class="button" href="#link">Invite players</a>'
        assert invite in as_(ann).get(page["Location"]).content.decode()
        invitation = f"/clubs/join/{club.token}/"
        assert "Thursdays" in as_(bob).get(invitation).content.decode()
        assert as_(bob).post(invitation)["Location"] == f"/clubs/{club.public_id}/"
        assert role_of(club, bob) == ROLES.MEMBER
        assert invite not in as_(ann).get(page["Location"]).content.decode()

    def test_strangers_cannot_see_a_club(self) -> None:
        club, _ = club_of(2)
        stranger = as_(people(1, 9)[0])
        for path in ("", "edit/", "table/", "night/", "link/", "leave/", "dissolve/"):
            address = f"/clubs/{club.public_id}/{path}"
            answer = stranger.post(address) if path else stranger.get(address)
            assert answer.status_code == 404, path
        assert stranger.get("/clubs/join/nosuch/").status_code == 404
        assert club.name not in stranger.get("/clubs/").content.decode()

    def test_guests_need_an_account_first(self) -> None:
        club, _ = club_of(1)
        visitor = Client()
        page = visitor.get(f"/clubs/join/{club.token}/").content.decode()
        assert f"/accounts/signup/?next=/clubs/join/{club.token}/" in page
        assert "keep your guest games" not in page
        visitor.post("/play/")
        page = visitor.get(f"/clubs/join/{club.token}/").content.decode()
        assert "keep your guest games" in page
        visitor.post(f"/clubs/join/{club.token}/")
        assert club.memberships.count() == 1

    def test_renewing_the_link_invalidates_the_old_one(self) -> None:
        club, (ann, bob) = club_of(2)
        old = club.token
        assert refusal_of(clubs.renew_link, club=club, by=bob) == "club_officers"
        clubs.renew_link(club=club, by=ann)
        zoe = people(1, 9)[0]
        assert refusal_of(clubs.join, player=zoe, token=old) == "club_unknown"
        clubs.join(player=zoe, token=Club.objects.get().token)
        assert role_of(club, zoe) == ROLES.MEMBER

    def test_a_removed_member_cannot_return_by_the_old_link(self) -> None:
        club, (ann, bob) = club_of(2)
        old = club.token
        as_(ann).post(f"/clubs/{club.public_id}/members/{bob.public_id}/remove/")
        assert role_of(club, bob) is None
        assert refusal_of(clubs.join, player=bob, token=old) == "club_unknown"

    def test_officers_remove_members_and_only_the_founder_removes_officers(self) -> None:
        club, (ann, bob, eve, joe) = club_of(4)
        for officer in (bob, eve):
            clubs.appoint(club=club, by=ann, player=officer, officer=True)
        assert refusal_of(clubs.remove, club=club, by=joe, player=bob) == "club_officers"
        assert refusal_of(clubs.remove, club=club, by=bob, player=eve) == "club_founder"
        assert refusal_of(clubs.remove, club=club, by=bob, player=ann) == "club_founder"
        assert refusal_of(clubs.appoint, club=club, by=bob, player=joe, officer=True) == (
            "club_founder"
        )
        clubs.remove(club=club, by=bob, player=joe)
        clubs.remove(club=club, by=ann, player=eve)
        assert [row.player for row in selectors.members(club=club)] == [ann, bob]

    def test_a_founder_must_hand_over_before_leaving(self) -> None:
        club, (ann, bob) = club_of(2)
        assert refusal_of(clubs.leave, club=club, player=ann) == "club_hand_over"
        clubs.hand_over(club=club, by=ann, player=bob)
        assert (role_of(club, ann), role_of(club, bob)) == (ROLES.OFFICER, ROLES.FOUNDER)
        clubs.leave(club=club, player=ann)
        assert role_of(club, ann) is None

    def test_only_the_founder_can_dissolve_a_club_and_not_during_a_night(self) -> None:
        club, (ann, bob) = club_of(2)
        night = night_of(club, ann, games=1, entrants=[ann, bob])
        nights.begin(night=night, by=ann)
        assert refusal_of(clubs.dissolve, club=club, by=bob) == "club_founder"
        assert refusal_of(clubs.dissolve, club=club, by=ann) == "club_night_runs"
        ClubNight.objects.update(state=ClubNight.State.OVER)
        assert as_(ann).post(f"/clubs/{club.public_id}/dissolve/")["Location"] == "/clubs/"
        assert not Club.objects.exists()
        assert Match.objects.count() == 1

    def test_clubs_and_members_are_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clubs, "MAX_MEMBERS", 2)
        monkeypatch.setattr(clubs, "MAX_CLUBS", 1)
        club, (ann, _) = club_of(2)
        zoe = people(1, 9)[0]
        assert refusal_of(clubs.join, player=zoe, token=club.token) == "club_full"
        assert refusal_of(clubs.create, player=ann, name="Second") == "club_many"

    def test_a_muted_player_cannot_write_club_texts(self) -> None:
        club, (ann, _) = club_of(2)
        ann.muted_until = timezone.now() + timedelta(days=1)
        about = {"club": club, "by": ann, "name": "New", "description": ""}
        assert refusal_of(clubs.edit, **about) == "club_muted"
        assert refusal_of(clubs.create, player=ann, name="New") == "club_muted"

    @pytest.mark.parametrize("name", ["", "a", "x" * 41, "two\u202elines", "a\nb"])
    def test_an_invalid_club_name_is_refused(self, name: str) -> None:
        answer = as_(people(1)[0]).post("/clubs/found/", {"name": name})
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
        assert 'name="next" value="/clubs/"' in answer.content.decode(), "after another language"
        assert not Club.objects.exists()

    def test_another_language_leads_back_to_the_club_whose_form_was_refused(self) -> None:
        club, (ann, *_) = club_of(1)
        page = f"/clubs/{club.public_id}/"
        answer = as_(ann).post(f"{page}edit/", {"name": ""})
        assert answer.status_code == 422
        assert f'name="next" value="{page}"' in answer.content.decode()


class TestTables:
    def test_a_club_table_is_shown_to_members_only(self) -> None:
        club, (ann, bob) = club_of(2)
        table = as_(ann).post(f"/clubs/{club.public_id}/table/", {"players": "2"})["Location"]
        match = Match.objects.get()
        assert table == f"/t/{match.public_id}/"
        join = f"/join/{match.invite}/"
        assert join in as_(bob).get(f"/clubs/{club.public_id}/").content.decode()
        assert join not in as_(bob).get("/lobby/").content.decode()
        assert as_(people(1, 9)[0]).get(table).status_code == 404
        join_match(player=bob, invite=match.invite)
        assert selectors.open_tables(club=club) == []

    def test_only_members_can_open_a_club_table(self) -> None:
        club, _ = club_of(1)
        zoe = people(1, 9)[0]
        assert refusal_of(clubs.open_table, club=club, player=zoe, ruleset=Ruleset()) == (
            "club_member"
        )


class TestLeaderboard:
    def test_members_are_ranked_by_rating_with_their_games_against_each_other(self) -> None:
        club, (ann, bob, eve) = club_of(3)
        zoe = people(1, 9)[0]
        _rated(bob, 1600)
        _rated(ann, 1500)
        _rated(zoe, 1900)
        _played(club, ann, bob)
        _played(None, ann, zoe)
        lines = selectors.leaderboard(club=club)
        assert [(line.place, line.member.player) for line in lines] == [
            (1, bob),
            (2, ann),
            (None, eve),
        ]
        assert [line.games for line in lines] == [1, 1, 0]
        assert sum(line.won for line in lines) == 1

    def test_a_member_with_a_private_page_is_shown_without_a_rating(self) -> None:
        club, (ann, bob) = club_of(2)
        _rated(ann, 1500)
        _rated(bob, 1600)
        Player.objects.filter(pk=bob.pk).update(private=True)
        lines = {line.member.player: line for line in selectors.leaderboard(club=club)}
        assert lines[bob].rating is None
        assert lines[ann].place == 1

    def test_the_number_of_queries_does_not_depend_on_the_number_of_members(self) -> None:
        def queries(number: int, start: int) -> int:
            club, members = club_of(number, start)
            for member in members:
                clubs.open_table(club=club, player=member, ruleset=Ruleset())
            night_of(club, members[0])
            client, address = as_(members[0]), f"/clubs/{club.public_id}/"
            client.get(address)
            with CaptureQueriesContext(connection) as asked:
                assert client.get(address).status_code == 200
            return len(asked)

        assert queries(12, 100) == queries(2, 200)


class TestPlanning:
    FORM = {"title": "Thursday", "games": "9", "minutes": "25", "zone": "Europe/Paris"}

    def plan(self, player: Player, club: Club, **changes: str) -> Any:
        day = (timezone.now() + timedelta(days=3)).date().isoformat()
        form = self.FORM | {"starts": f"{day}T19:30", "ends": f"{day}T23:00"} | changes
        return as_(player).post(f"/clubs/{club.public_id}/night/", form)

    def test_the_games_of_the_offered_night_fit_before_its_end(self) -> None:
        club, _ = club_of(1)
        offered = NightForm(club=club)
        games, minutes = (offered.fields[name].initial for name in ("games", "minutes"))
        assert games * minutes * timedelta(minutes=1) <= USUAL_LENGTH

    def test_times_are_in_the_forms_time_zone(self) -> None:
        club, (ann,) = club_of(1)
        answer = self.plan(ann, club)
        night = ClubNight.objects.get()
        assert answer["Location"] == f"/clubs/night/{night.token}/"
        assert night.starts_at.hour in {17, 18}  # Paris is one or two hours ahead
        assert night.ends_at - night.starts_at == timedelta(hours=3, minutes=30)

    @pytest.mark.parametrize(
        "changes",
        [
            {"ends": "2020-01-01T10:00"},
            {"starts": "2020-01-01T10:00"},
            {"starts": "tomorrow"},
            {"starts": "0001-01-01T00:00", "zone": "Asia/Tokyo"},
            {"ends": "9999-12-31T23:59", "zone": "America/New_York"},
            {"games": "0"},
            {"games": "31"},
            {"minutes": "0"},
            {"title": ""},
        ],
    )
    def test_invalid_plans_are_refused(self, changes: dict[str, str]) -> None:
        club, (ann,) = club_of(1)
        answer = self.plan(ann, club, **changes)
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()
        assert not ClubNight.objects.exists()

    def test_an_unknown_time_zone_means_utc(self) -> None:
        club, (ann,) = club_of(1)
        self.plan(ann, club, zone="../etc/passwd")
        assert ClubNight.objects.get().starts_at.hour == 19

    def test_a_night_that_its_organiser_starts_says_so_and_counts_nothing_down(self) -> None:
        club, (ann,) = club_of(1)
        page = as_(ann).get(self.plan(ann, club, by_hand="on")["Location"]).content.decode()
        assert "The organiser starts the night." in page
        assert "Starts in" not in page and "It starts on time" not in page
        assert ClubNight.objects.get().by_hand

    def test_ordinary_members_cannot_plan_nights(self) -> None:
        club, (_, bob) = club_of(2)
        assert self.plan(bob, club)["Location"] == f"/clubs/{club.public_id}/"
        assert not ClubNight.objects.exists()


class TestAccounts:
    def test_a_deleted_founders_club_passes_to_an_officer_then_to_a_member(self) -> None:
        club, (ann, bob, eve) = club_of(3)
        clubs.appoint(club=club, by=ann, player=eve, officer=True)
        erase(player=ann)
        assert (role_of(club, eve), role_of(club, bob)) == (ROLES.FOUNDER, ROLES.MEMBER)
        erase(player=eve)
        assert role_of(club, bob) == ROLES.FOUNDER
        erase(player=bob)
        assert not Club.objects.exists()

    def test_an_export_contains_the_players_clubs(self) -> None:
        club, (_, bob) = club_of(2)
        (row,) = export_of(bob.pk)["clubs"]
        assert (row["club"], row["role"]) == (club.name, "member")
        assert club.token not in repr(row)

    def test_the_admin_lists_clubs_and_nights(self) -> None:
        club, (ann,) = club_of(1)
        night_of(club, ann)
        Player.objects.filter(pk=ann.pk).update(is_staff=True, is_superuser=True)
        client = as_(Player.objects.get(pk=ann.pk))
        for path in ("club", "clubnight"):
            page = client.get(f"/admin/ratings/{path}/")
            assert page.status_code == 200
            assert re.search("Pegs and Holes|Thursday", page.content.decode())


def _rated(player: Player, rating: float) -> None:
    Rating.objects.create(
        player=player, seats=2, skill=0.0, rating=rating, rd=40.0, floor=rating - 40.0,
        provisional=False, results=30, constants="1",
    )  # fmt: skip


def _played(club: Club | None, one: Player, other: Player) -> None:
    """Have two players play an ordinary match to its end."""
    match = (
        clubs.open_table(club=club, player=one, ruleset=Ruleset())
        if club
        else create_match(creator=one, ruleset=Ruleset())
    )
    join_match(player=other, invite=match.invite)
    play_on(match)
