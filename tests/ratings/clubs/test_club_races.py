"""Members who change their roles at the same moment: a club always has exactly one founder."""

from __future__ import annotations

import pytest

from games.api import Player, Refused
from ratings.clubs import clubs
from ratings.models import Club, Membership
from tests.support.at_once import at_once, refusable

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5


@pytest.fixture
def people() -> list[Player]:
    return [
        Player.objects.create_user(name, kind=Player.Kind.PERSON, name=name)
        for name in ("Ann", "Bob", "Cleo")
    ]


@pytest.fixture
def club(people: list[Player]) -> Club:
    made = clubs.create(player=people[0], name="Pegs")
    for player in people[1:]:
        clubs.join(player=player, token=made.token)
    return made


def founders(club: Club) -> list[str]:
    rows = club.memberships.filter(role=Membership.Role.FOUNDER)
    return list(rows.values_list("player__name", flat=True))


def test_a_club_handed_over_twice_at_once_goes_to_one_of_the_two(
    club: Club, people: list[Player]
) -> None:
    ann, bob, cleo = people
    for _ in range(ROUNDS):
        at_once(
            *[
                refusable(lambda to=to: clubs.hand_over(club=club, by=ann, player=to), Refused)
                for to in (bob, cleo)
            ]
        )
        (heir,) = founders(club)
        assert heir in {"Bob", "Cleo"}
        clubs.hand_over(club=club, by=Player.objects.get(name=heir), player=ann)


def test_a_club_never_loses_the_founder_it_is_handed_to(club: Club, people: list[Player]) -> None:
    ann, bob, _ = people
    for _ in range(ROUNDS):
        at_once(
            refusable(lambda: clubs.hand_over(club=club, by=ann, player=bob), Refused),
            refusable(lambda: clubs.leave(club=club, player=bob), Refused),
            refusable(lambda: clubs.appoint(club=club, by=ann, player=bob, officer=True), Refused),
            refusable(lambda: clubs.remove(club=club, by=ann, player=bob), Refused),
        )
        (founder,) = founders(club)
        if founder == "Bob":
            clubs.hand_over(club=club, by=bob, player=ann)
        club.refresh_from_db()
        clubs.join(player=bob, token=club.token)


@pytest.mark.parametrize("way", ["link", "search"])
def test_a_member_removed_at_this_moment_does_not_come_back(
    club: Club, people: list[Player], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Their request was sent before, and waits for the club's lock until they are removed."""
    ann, bob, _ = people
    token, lock = club.token, clubs.lock
    Club.objects.update(listed=True)
    club.refresh_from_db()

    def removed_first(locked: Club) -> None:
        monkeypatch.setattr(clubs, "lock", lock)
        clubs.remove(club=locked, by=ann, player=bob)
        lock(locked)

    def come() -> None:
        if way == "link":
            clubs.join(player=bob, token=token)
        else:
            clubs.enter(club=club, player=bob)

    monkeypatch.setattr(clubs, "lock", removed_first)
    with pytest.raises(Refused):
        come()
