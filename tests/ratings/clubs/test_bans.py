"""Clubs whose founder or officers are banned: who runs them, and who is told."""

import pytest

from games.models import Report
from ratings.clubs import clubs, news
from ratings.models import Club
from tests.support.evenings import club_of
from tests.support.moderators import ban
from tests.support.people import as_
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db


def roles(club: Club) -> dict[int | None, str]:
    return dict(club.memberships.values_list("player", "role"))


def test_a_founder_banned_for_good_is_succeeded_as_after_a_deletion() -> None:
    club, (ann, bob, cleo) = club_of(3)
    clubs.appoint(club=club, by=ann, player=cleo, officer=True)
    ban(ann, None)
    assert roles(club) == {ann.pk: "member", bob.pk: "member", cleo.pk: "founder"}


def test_while_the_only_officer_is_banned_a_member_runs_the_club() -> None:
    club, (ann, bob, cleo) = club_of(3)
    ban(bob, 7)
    assert roles(club)[ann.pk] == "founder"
    ban(ann, 7)
    assert roles(club) == {ann.pk: "founder", bob.pk: "member", cleo.pk: "officer"}


@pytest.mark.parametrize("days", [None, 7])
def test_members_and_who_follows_are_told_without_the_reason(days: int | None) -> None:
    club, (ann, bob, cleo) = club_of(3)
    ban(ann, days)
    address = f"/clubs/{club.public_id}/"
    task = "leads the club" if days is None else "is an officer of the club"
    page = as_(cleo).get(address).content.decode().partition('<h2 id="news">')[2]
    assert f"{bob.name} {task} now." in page
    assert "ban" not in page.partition("</section>")[0].lower()
    own = f"You lead {club.name} now." if days is None else f"officer of {club.name} now."
    for path in (address, "/"):
        assert own in as_(bob).get(path).content.decode()
        assert own not in as_(cleo).get(path).content.decode()
    post = club.posts.get()
    as_(cleo).post(f"{address}news/{post.pk}/report/", {})
    assert not Report.objects.exists()
    assert list(news.export_of(bob.pk)) == []
    clubs.leave(club=club, player=bob) if days else clubs.leave_all(player=bob.pk)
    assert own not in as_(bob).get("/").content.decode()


def test_a_new_task_is_on_the_home_page_only_while_it_is_theirs() -> None:
    club, (ann, bob, cleo) = club_of(3)
    leads = f"You lead {club.name} now."
    clubs.hand_over(club=club, by=ann, player=bob)
    assert leads in as_(bob).get("/").content.decode()
    clubs.hand_over(club=club, by=bob, player=ann)
    assert leads not in as_(bob).get("/").content.decode()
    assert leads in as_(ann).get("/").content.decode()
    assert [post.author for post in club.posts.all()] == [ann]
    clubs.appoint(club=club, by=ann, player=bob, officer=False)
    ban(ann, 7)
    helps = f"an officer of {club.name} now."
    (helper,) = (each for each in (bob, cleo) if helps in as_(each).get("/").content.decode())
    club.memberships.filter(player=helper).update(role="member")
    assert helps not in as_(helper).get("/").content.decode()


def test_other_officers_suffice() -> None:
    club, (ann, bob, cleo) = club_of(3)
    clubs.appoint(club=club, by=ann, player=cleo, officer=True)
    ban(ann, 7)
    assert roles(club) == {ann.pk: "founder", bob.pk: "member", cleo.pk: "officer"}
    ban(cleo, 7)
    assert roles(club)[bob.pk] == "officer"


@pytest.mark.parametrize("way", ["leaves", "deletes the account"])
def test_another_member_follows_the_officer_who_ran_the_club_of_a_banned_founder(way: str) -> None:
    club, (ann, bob, cleo) = club_of(3)
    ban(ann, 7)
    assert roles(club)[bob.pk] == "officer"
    if way == "leaves":
        clubs.leave(club=club, player=bob)
    else:
        clubs.leave_all(player=bob.pk)
    assert roles(club) == {ann.pk: "founder", cleo.pk: "officer"}


def test_who_joins_a_club_of_banned_players_runs_it() -> None:
    club, (ann,) = club_of(1)
    ban(ann, 7)
    (bob,) = people(1, 30)
    clubs.join(player=bob, token=club.token)
    assert roles(club) == {ann.pk: "founder", bob.pk: "officer"}


def test_a_deleted_founder_is_succeeded_by_a_member_who_is_not_banned() -> None:
    club, (ann, bob, cleo) = club_of(3)
    ban(bob, 7)
    clubs.leave_all(player=ann.pk)
    assert roles(club) == {bob.pk: "member", cleo.pk: "founder"}
