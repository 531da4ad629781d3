"""Life of a club: search, links that expire, news, schedule, and records."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.api import Refused
from games.models import Player
from games.models.moderation import Report
from games.safety.erasure import erase
from ratings.clubs import club_pages, club_records, clubs, news
from ratings.clubs.player_data import export_of
from ratings.matchmaking import linked_accounts
from ratings.models import Club, ClubPost, Entrant, NightResult
from tests.support.evenings import club_of, night_of
from tests.support.people import as_
from tests.support.standard_tables import people

pytestmark = pytest.mark.django_db


def refusal(found: pytest.ExceptionInfo[Refused]) -> str:
    return found.value.code


def listed(name: str, founder: Player, description: str = "") -> Club:
    return clubs.create(player=founder, name=name, description=description, listed=True)


class TestSearch:
    def test_only_open_clubs_are_found_by_all_words_of_name_and_description(self) -> None:
        ann, bob = people(2)
        pegs = listed("Pegs and Holes", ann, "Thursdays in Leeds")
        listed("Nobs", ann, "Leeds, too")
        clubs.create(player=ann, name="Secret pegs of Leeds")

        def found(text: str, player: Player | None = bob) -> list[str]:
            return [row.club.name for row in club_pages.search(text=text, player=player)]

        assert found("") == ["Nobs", "Pegs and Holes"]
        assert found("leeds pegs") == ["Pegs and Holes"]
        assert found("york") == []
        assert found("pegs", None) == ["Pegs and Holes"]
        page = as_(bob).get("/clubs/?q=pegs").content.decode()
        assert "Thursdays in Leeds" in page
        assert "Secret" not in page
        assert as_(bob).post(f"/clubs/{pegs.public_id}/enter/").status_code == 302
        assert pegs.memberships.filter(player=bob).exists()
        assert found("pegs") == []

    @pytest.mark.parametrize(
        ("name", "typed"),
        [
            ("Пеги и лунки", "пеги"),
            ("Öffentlich", "öffentlich"),
            ("Bob’s", "bob's"),
            ("O'N", "O’N"),
        ],
    )
    def test_neither_case_nor_the_kind_of_apostrophe_matters(self, name: str, typed: str) -> None:
        ann, _ = people(2)
        club = listed(f"Club {name}", ann)
        listed("Nobs", ann)
        assert [row.club for row in club_pages.search(text=typed, player=None)] == [club]

    def test_a_club_that_is_not_open_cannot_be_entered(self) -> None:
        club, _members = club_of(1)
        (bob,) = people(1, 5)
        assert as_(bob).post(f"/clubs/{club.public_id}/enter/").status_code == 404
        with pytest.raises(Refused) as found:
            clubs.enter(club=club, player=bob)
        assert refusal(found) == "club_unlisted"

    def test_who_was_removed_comes_back_by_invitation_only(self) -> None:
        ann, bob = people(2)
        club = listed("Pegs", ann)
        clubs.enter(club=club, player=bob)
        clubs.remove(club=club, by=ann, player=bob)
        with pytest.raises(Refused) as found:
            clubs.enter(club=club, player=bob)
        assert refusal(found) == "club_unlisted"
        club.refresh_from_db()
        clubs.join(player=bob, token=club.token)
        clubs.leave(club=club, player=bob)
        clubs.enter(club=club, player=bob)
        assert club.memberships.filter(player=bob).exists()

    def test_who_was_removed_does_not_come_back_with_another_account(self) -> None:
        ann, bob, bobs_other = people(3)
        club = listed("Pegs", ann)
        clubs.enter(club=club, player=bob)
        clubs.remove(club=club, by=ann, player=bob)
        linked_accounts.link(one=bob, other=bobs_other)
        with pytest.raises(Refused) as found:
            clubs.enter(club=club, player=bobs_other)
        assert refusal(found) == "club_unlisted"

    def test_the_form_opens_and_closes_a_club(self) -> None:
        club, (ann, _bob) = club_of(2)
        for form, expected in (({"listed": "on"}, True), ({}, False)):
            as_(ann).post(f"/clubs/{club.public_id}/edit/", {"name": "Pegs", **form})
            club.refresh_from_db()
            assert club.listed is expected


class TestLink:
    def test_a_link_expires_and_can_be_turned_off(self) -> None:
        club, (ann, bob) = club_of(2)
        assert club.token_until is not None
        address = f"/clubs/{club.public_id}/link/"
        for number, (days, works) in enumerate(
            (("7", True), ("ever", True), ("0", False)), start=10
        ):
            as_(ann).post(address, {"days": days})
            club.refresh_from_db()
            assert club.link_works is works
            page = as_(bob).get(f"/clubs/{club.public_id}/").content.decode()
            assert (club.token in page) is works
            (eve,) = people(1, number)
            status = 200 if works else 404
            assert as_(eve).get(f"/clubs/join/{club.token}/").status_code == status

    def test_a_link_that_no_longer_works_says_so_and_brings_members_to_their_club(self) -> None:
        club, (ann, bob) = club_of(2)
        as_(ann).post(f"/clubs/{club.public_id}/link/", {"days": "0"})
        club.refresh_from_db()
        link = f"/clubs/join/{club.token}/"
        assert as_(bob).get(link)["Location"] == f"/clubs/{club.public_id}/"
        (eve,) = people(1, 10)
        for reader in (as_(eve), Client()):
            answer = reader.get(link)
            assert answer.status_code == 404
            page = answer.content.decode()
            assert "<h1>This invitation no longer works</h1>" in page
            assert "Ask a member of the club for a new link" in page
            assert club.name not in page

    def test_a_link_is_replaced_only_by_one_that_works_for_a_time_on_the_list(self) -> None:
        club, (ann,) = club_of(1)
        before = (club.token, club.token_until)
        for wrong in ({"days": "400"}, {"days": ""}, {}):
            answer = as_(ann).post(f"/clubs/{club.public_id}/link/", wrong)
            assert answer.status_code == 422
            assert "field-error" in answer.content.decode()
        club.refresh_from_db()
        assert (club.token, club.token_until) == before

    def test_an_expired_link_admits_nobody(self) -> None:
        club, (ann,) = club_of(1)
        (eve,) = people(1, 5)
        clubs.renew_link(club=club, by=ann, days=1)
        Club.objects.update(token_until=timezone.now() - timedelta(seconds=1))
        with pytest.raises(Refused) as found:
            clubs.join(player=eve, token=club.token)
        assert refusal(found) == "club_unknown"

    def test_members_cannot_change_the_link(self) -> None:
        club, (_ann, bob) = club_of(2)
        before = club.token
        as_(bob).post(f"/clubs/{club.public_id}/link/", {"days": "0"})
        club.refresh_from_db()
        assert (club.token, club.link_works) == (before, True)


class TestNews:
    def test_officers_post_and_members_read_and_report(self) -> None:
        club, (ann, bob) = club_of(2)
        here = f"/clubs/{club.public_id}/"
        as_(ann).post(f"{here}news/", {"text": "No play on <b>Monday</b>"})
        page = as_(bob).get(here).content.decode()
        assert "No play on &lt;b&gt;Monday&lt;/b&gt;" in page
        row = ClubPost.objects.get()
        as_(bob).post(f"{here}news/{row.pk}/report/")
        report = Report.objects.get()
        assert (report.about, report.reporter, report.reason) == (ann, bob, "abuse")
        assert "No play on <b>Monday</b>" in report.text
        as_(bob).post(f"{here}news/{row.pk}/delete/")
        assert ClubPost.objects.exists()
        as_(ann).post(f"{here}news/{row.pk}/delete/")
        assert not ClubPost.objects.exists()

    def test_characters_that_change_the_direction_of_text_are_removed_and_lines_stay(self) -> None:
        club, (ann, _) = club_of(2)
        here = f"/clubs/{club.public_id}/news/"
        as_(ann).post(here, {"text": "Win \u202eevif\u202c points\n\nSee\u200b you"})
        assert [row.text for row in club.posts.all()] == ["Win evif points\n\nSee you"]
        as_(ann).post(here, {"text": "\u202e\u200b"})
        assert club.posts.count() == 1

    def test_a_moderator_deletes_news_in_the_admin_and_edits_none(self) -> None:
        club, (ann,) = club_of(1)
        news.post(club=club, by=ann, text="Buy my board!")
        post = ClubPost.objects.get()
        keeper = Client()
        keeper.force_login(Player.objects.create_superuser("Keeper", password="x"))
        address = f"/admin/ratings/clubpost/{post.pk}"
        assert "Buy my board!" in keeper.get("/admin/ratings/clubpost/").content.decode()
        keeper.post(f"{address}/change/", {"text": "Mine"})
        assert ClubPost.objects.get().text == "Buy my board!"
        assert keeper.post(f"{address}/delete/", {"post": "yes"}).status_code == 302
        assert not ClubPost.objects.exists()

    def test_strangers_read_and_report_nothing(self) -> None:
        club, (ann,) = club_of(1)
        row = news.post(club=club, by=ann, text="Hello")
        stranger = as_(people(1, 9)[0])
        for path in ("news/", f"news/{row.pk}/report/", f"news/{row.pk}/delete/"):
            assert stranger.post(f"/clubs/{club.public_id}/{path}").status_code == 404
        assert not Report.objects.exists()

    def test_posts_of_another_club_cannot_be_reached(self) -> None:
        club, (ann,) = club_of(1)
        other, (bob,) = club_of(1, start=5)
        row = news.post(club=other, by=bob, text="Ours")
        as_(ann).post(f"/clubs/{club.public_id}/news/{row.pk}/delete/")
        as_(ann).post(f"/clubs/{club.public_id}/news/{row.pk}/report/")
        assert ClubPost.objects.get() == row
        assert not Report.objects.exists()

    def test_members_and_muted_officers_cannot_post_and_no_club_posts_too_much(self) -> None:
        club, (ann, bob) = club_of(2)
        with pytest.raises(Refused) as found:
            news.post(club=club, by=bob, text="Hello")
        assert refusal(found) == "club_officers"
        for number in range(news.PER_DAY):
            news.post(club=club, by=ann, text=f"Post {number}")
        with pytest.raises(Refused) as found:
            news.post(club=club, by=ann, text="One more")
        assert refusal(found) == "news_many"
        ClubPost.objects.update(at=timezone.now() - timedelta(days=2))
        Player.objects.filter(pk=ann.pk).update(muted_until=timezone.now() + timedelta(days=1))
        ann.refresh_from_db()
        with pytest.raises(Refused) as found:
            news.post(club=club, by=ann, text="Muted")
        assert refusal(found) == "club_muted"

    def test_old_posts_make_room(self) -> None:
        club, (ann,) = club_of(1)
        old = timezone.now() - timedelta(days=3)
        ClubPost.objects.bulk_create(
            ClubPost(club=club, author=ann, text=str(number), at=old) for number in range(news.KEPT)
        )
        news.post(club=club, by=ann, text="New")
        assert ClubPost.objects.count() == news.KEPT
        assert [row.text for row in news.newest(club=club)][:2] == ["New", str(news.KEPT - 1)]

    def test_too_long_news_are_refused_with_a_reason(self) -> None:
        club, (ann,) = club_of(1)
        answer = as_(ann).post(f"/clubs/{club.public_id}/news/", {"text": "x" * 401})
        assert answer.status_code == 422
        assert "field-error" in answer.content.decode()

    def test_posts_are_exported_and_deleted_with_the_account(self) -> None:
        club, (ann, _bob) = club_of(2)
        news.post(club=club, by=ann, text="Hello")
        assert [row["text"] for row in export_of(ann.pk)["club_news"]] == ["Hello"]
        erase(player=ann)
        assert not ClubPost.objects.filter(text="Hello").exists()


def test_the_schedule_is_a_calendar_for_members() -> None:
    club, (ann, bob) = club_of(2)
    night_of(club, ann)
    address = f"/clubs/{club.public_id}/schedule.ics"
    text = as_(bob).get(address).content.decode()
    assert text.count("BEGIN:VEVENT") == 1
    assert "SUMMARY:Pegs and Holes: Thursday" in text
    assert as_(people(1, 9)[0]).get(address).status_code == 404


def test_records_are_those_of_all_nights() -> None:
    club, (ann, bob) = club_of(2)
    assert club_records.records(club=club) == []
    rows = [(ann, 1, 12, "WWLWW", 12), (bob, 2, 4, "LLWLW", 24), (ann, 1, 9, "WLWLW", 16),
            (bob, 2, 4, "WWLLL", 20)]  # fmt: skip
    for number, (player, place, points, form, hand) in enumerate(rows):
        if number % 2 == 0:
            night = night_of(club, ann, games=5)
        NightResult.objects.create(
            entrant=Entrant.objects.create(night=night, player=player), place=place, points=points,
            played=5, won=form.count("W"), spread=0, form=form, best_hand=hand,
        )  # fmt: skip
    found = {row.kind: (list(row.holders), row.value) for row in club_records.records(club=club)}
    assert found == {
        "nights": ([ann], 2),
        "night": ([ann], 12),
        "average": ([ann], 2.1),
        "streak": ([ann, bob], 3),
        "hand": ([bob], 24),
    }
    assert "Most nights won" in as_(bob).get(f"/clubs/{club.public_id}/").content.decode()
