"""Nights that are cancelled, or whose players are banned or deleted, while others act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.api import Player, Refused
from games.safety.erasure import erase
from games.safety.moderation import moderate
from ratings.clubs import clubs, nights
from ratings.models import Club, ClubNight, Membership
from tests.support.evenings import begun, club_of, lines_of, night_of, play_all, play_out, under_way
from tests.support.people import as_
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db

Act = Callable[[ClubNight, Player], object]


def ban(player: Player) -> None:
    moderator = Player.objects.create_superuser("Mo", kind=Player.Kind.PERSON, name="Mo")
    moderate(moderator=moderator, player=player, action="ban", reason="cheats", days=5)


def seated_in(night: ClubNight) -> set[int | None]:
    return {seat.player_id for match in under_way(night) for seat in match.seats.all()}


class TestCancelled:
    @pytest.mark.parametrize(
        "act",
        [
            lambda night, _: nights.join(night=night, player=people(1, 50)[0]),
            lambda night, officer: nights.leave(night=night, player=officer),
            lambda night, officer: nights.mark(
                night=night, by=officer, player=officer, absent=True
            ),
            lambda night, officer: nights.begin(night=night, by=officer),
            lambda night, officer: nights.end(night=night, by=officer),
        ],
        ids=["join", "leave", "mark", "begin", "end"],
    )
    def test_who_acts_at_that_moment_is_told(self, act: Act) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        read = ClubNight.objects.select_related("club").get(pk=night.pk)
        nights.end(night=night, by=members[0])
        with pytest.raises(Refused) as refusal:
            act(read, members[0])
        assert refusal.value.code == "night_gone"

    def test_the_page_leads_to_the_club(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two officers cancel it at once: both are told that it is cancelled."""
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        officer = clubs.officer

        def late(*, club: Club, player: Player) -> Membership:
            ClubNight.objects.filter(pk=night.pk).delete()
            return officer(club=club, player=player)

        monkeypatch.setattr(clubs, "officer", late)
        answer = as_(members[0]).post(f"/clubs/night/{night.token}/end/", follow=True)
        assert answer.redirect_chain[-1][0] == f"/clubs/{club.public_id}/"
        assert [str(each) for each in answer.context["messages"]] == ["Club night cancelled."]

    @pytest.mark.parametrize("action", ["join", "leave"])
    def test_the_page_leads_a_visitor_to_the_clubs(
        self, action: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They joined by the night's link, and the club's page is for its members."""
        club, members = club_of(2)
        (visitor,) = people(1, 50)
        night = night_of(club, members[0], entrants=[*members, visitor])
        service = getattr(nights, action)

        def late(**arguments: Any) -> object:
            ClubNight.objects.filter(pk=night.pk).delete()
            return service(**arguments)

        monkeypatch.setattr(nights, action, late)
        answer = as_(visitor).post(f"/clubs/night/{night.token}/{action}/", follow=True)
        assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, "/clubs/")
        assert [str(each) for each in answer.context["messages"]] == ["Club night cancelled."]


class TestTheNextGame:
    def test_a_form_that_is_sent_twice_begins_one_game(self) -> None:
        night, members = begun(6)
        for match in under_way(night)[:2]:
            play_out(match)
        officer, page = as_(members[0]), f"/clubs/night/{night.token}/"
        assert 'name="game" value="2"' in officer.get(page).content.decode()
        for _ in range(2):
            assert officer.post(f"{page}next/", {"game": "2"}).status_code == 302
        assert ClubNight.objects.get(pk=night.pk).current == 2
        for game in ("", "x", "-3", "4" * 5000, "4"):
            officer.post(f"{page}next/", {"game": game})
        assert ClubNight.objects.get(pk=night.pk).current == 2
        officer.post(f"{page}next/", {"game": "3"})
        assert ClubNight.objects.get(pk=night.pk).current == 3


class TestBanned:
    def test_a_night_does_not_begin_with_them(self) -> None:
        club, members = club_of(3)
        night = night_of(club, members[0], entrants=members)
        ban(members[1])
        assert [line.entrant.player for line in lines_of(night) if line.away] == [members[1]]
        nights.begin(night=night, by=members[0])
        assert {members[0].pk, members[2].pk} <= seated_in(night)
        assert members[1].pk not in seated_in(night)

    def test_nobody_can_begin_alone_with_them(self) -> None:
        club, members = club_of(2)
        night = night_of(club, members[0], entrants=members)
        ban(members[1])
        with pytest.raises(Refused) as refusal:
            nights.begin(night=night, by=members[0])
        assert refusal.value.code == "night_few"

    @pytest.mark.usefixtures("fixed_cards")
    def test_they_are_not_seated_in_later_games(self) -> None:
        """Banned between two games, they have no seat to lose; the others would wait for them."""
        night, members = begun(4)
        first, second = under_way(night)
        play_out(first)
        resting = first.seats.get(seat=0).player
        assert resting is not None
        if resting == members[0]:
            resting = first.seats.get(seat=1).player
            assert resting is not None
        ban(resting)
        play_out(second)
        assert resting.pk not in seated_in(night)
        assert len(seated_in(night) & {member.pk for member in members}) == 3


class TestDeleted:
    @pytest.mark.usefixtures("fixed_cards")
    def test_who_joins_the_club_of_a_lone_founder_leads_it(self) -> None:
        """The founder deleted the account during a night with guests, so the club still exists."""
        club, (founder,) = club_of(1)
        night = night_of(club, founder, games=1, entrants=[founder, *people(3, 20)])
        nights.begin(night=night, by=founder)
        erase(player=founder)
        assert play_all(ClubNight.objects.get(pk=night.pk)).is_over
        heir, other = people(2, 30)
        for player in (heir, other):
            clubs.join(player=player, token=Club.objects.get(pk=club.pk).token)
        roles = Membership.objects.filter(club=club).values_list("player", "role")
        assert set(roles) == {(heir.pk, "founder"), (other.pk, "member")}
