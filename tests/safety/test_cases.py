"""The moderators' pages: queue, case, hidden texts, two persons, appeals, answers to reporters."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from games.models import ChatLine, Match, ModerationEntry, Player, Report, SeenMatch
from games.people.accounts import create_guest
from games.safety.appeals import make_appeal
from games.safety.cases import SHOWN, hidden_matches, look, reports_about
from games.safety.erasure import erase
from games.safety.moderation import moderate, report
from games.safety.proposals import decide_ban, propose_ban
from ratings.matchmaking import linked_accounts
from ratings.models import LinkedAccount, Play, SeparateAccounts
from ratings.standard import catalogue
from tests.support.moderators import a_moderator, as_player
from tests.support.people import make_match
from tests.support.standard_tables import people, play_on

pytestmark = pytest.mark.django_db


def settled_match() -> tuple[Match, list[Player]]:
    """Return an ordinary match that ended long ago, and its two players."""
    match, players = make_match()
    Match.objects.filter(pk=match.pk).update(
        status="finished", finished_at=timezone.now() - timedelta(days=1)
    )
    match.refresh_from_db()
    return match, list(players)


def act(client: Client, player: Player, action: str, **fields: str) -> int:
    data = {"action": action, "words": "Please stop.", "days": "7", **fields}
    return client.post(f"/moderation/players/{player.public_id}/act/", data).status_code


class TestWhoSeesThem:
    def test_for_others_the_pages_do_not_exist(self, bea: Player, mo: Player) -> None:
        made = report(reporter=create_guest(), about=bea, reason="name")
        assert made
        row = Report.objects.get()
        paths = [
            "/moderation/", "/moderation/log/", f"/moderation/players/{bea.public_id}/",
        ]  # fmt: skip
        posts = [
            f"/moderation/players/{bea.public_id}/{name}/"
            for name in ("act", "dismiss", "note", "unlink")
        ] + [f"/moderation/{name}/" for name in (f"reports/{row.pk}/look", "appeals/1", "bans/1")]
        for client in (Client(), as_player(create_guest()), as_player(bea)):
            assert {client.get(path).status_code for path in paths} == {404}
            assert {client.post(path).status_code for path in posts} == {404}
        assert {as_player(mo).get(path).status_code for path in paths} == {200}
        assert not ModerationEntry.objects.exists()

    def test_staff_without_the_right_do_not_see_them(self) -> None:
        clerk = Player.objects.create_user("Clerk", is_staff=True)
        assert as_player(clerk).get("/moderation/").status_code == 404


class TestTheQueue:
    def test_reports_are_grouped_by_player_and_closed_with_an_answer(
        self, bea: Player, mo: Player
    ) -> None:
        reporters = [create_guest(), create_guest()]
        for reporter in reporters:
            report(reporter=reporter, about=bea, reason="abuse", text="swears")
        client = as_player(mo)
        page = client.get("/moderation/").content.decode()
        assert page.count(f"/moderation/players/{bea.public_id}/") == 1
        assert "2 reports" in page
        assert act(client, bea, "warn", close="on") == 302
        assert "Bea" not in strip_tags(client.get("/moderation/").content.decode())
        for reporter in reporters:
            own = as_player(reporter)
            assert "message from the moderators" in own.get("/rules/").content.decode()
            assert "We acted" in own.get("/decisions/").content.decode()
            assert "message from the moderators" not in own.get("/rules/").content.decode()

    @pytest.mark.parametrize(
        ("action", "undone"), [("mute", "unmute"), ("ranked_ban", "lift_ranked")]
    )
    def test_what_is_lifted_closes_no_reports(
        self, bea: Player, mo: Player, action: str, undone: str
    ) -> None:
        client = as_player(mo)
        assert act(client, bea, action) == 302
        report(reporter=create_guest(), about=bea, reason="abuse")
        assert act(client, bea, undone, close="on") == 302
        assert Report.objects.get().closed_at is None
        assert act(client, bea, action, close="on") == 302
        assert Report.objects.get().outcome == Report.Outcome.ACTED

    def test_without_a_breach_the_reporter_is_told_so(self, bea: Player, mo: Player) -> None:
        reporter = create_guest()
        report(reporter=reporter, about=bea, reason="abuse")
        as_player(mo).post(f"/moderation/players/{bea.public_id}/dismiss/")
        assert "We found no breach" in as_player(reporter).get("/decisions/").content.decode()
        bea.refresh_from_db()
        assert not bea.moderator_news, "the reported player is not told"

    def test_a_reason_is_needed_and_may_be_a_prepared_one(self, bea: Player, mo: Player) -> None:
        client = as_player(mo)
        assert act(client, bea, "mute", words=" ") == 422
        assert act(client, bea, "mute", days="5") == 422
        Player.objects.filter(pk=bea.pk).update(language="de")
        assert act(client, bea, "mute", words="", template="abuse") == 302
        entry = ModerationEntry.objects.get()
        assert (entry.action, entry.days, entry.moderator) == ("mute", 7, mo)
        assert entry.reason
        bea.refresh_from_db()
        assert bea.is_muted

    def test_a_text_that_is_too_long_is_not_called_empty(self, bea: Player, mo: Player) -> None:
        entry = moderate(moderator=a_moderator("Max"), player=bea, action="warn", reason="Stop.")
        appeal = make_appeal(player=bea, entry=entry.pk, text="Why?")
        note, reply = (
            f"/moderation/players/{bea.public_id}/note/",
            f"/moderation/appeals/{appeal.pk}/",
        )
        client, lines = as_player(mo), "A line.\r\n" * 60
        for path, empty in ((note, "Write something first."), (reply, "Write a reply.")):
            said = client.post(path, {"text": lines, "granted": "no"}, follow=True).content.decode()
            assert "Use at most 500." in said and empty not in said
            assert said.count("A line.") == 60, "it is kept, to be shortened"
            back = f'name="next" value="/moderation/players/{bea.public_id}/"'
            assert back in said, "another language leads back to the case"
            said = client.post(path, {"text": " ", "granted": "no"}, follow=True).content.decode()
            assert empty in said

    def test_notes_are_for_moderators(self, bea: Player, mo: Player) -> None:
        as_player(mo).post(f"/moderation/players/{bea.public_id}/note/", {"text": "Watch this."})
        path = f"/moderation/players/{bea.public_id}/"
        assert "Watch this." in as_player(mo).get(path).content.decode()
        own = as_player(bea)
        for path in ("/decisions/", f"/players/{bea.public_id}/"):
            assert "Watch this." not in own.get(path).content.decode()


class TestHiddenTexts:
    """Moderators are players: they must not learn cards that they may still be dealt."""

    def reported(self, match: Match, reporter: Player, about: Player) -> Report:
        ChatLine.objects.create(match=match, author=about, text="I had 5H 5S", client_id="a")
        report(reporter=reporter, about=about, reason="abuse", match=match, text="They had JC")
        return Report.objects.get()

    def test_a_match_in_progress_is_hidden_until_they_choose_to_look(self, mo: Player) -> None:
        match, (ann, bob) = make_match()
        row = self.reported(match, ann, bob)
        client, path = as_player(mo), f"/moderation/players/{bob.public_id}/"
        page = client.get(path).content.decode()
        assert "5H 5S" not in page and "They had JC" not in page
        assert "Look anyway" in page
        client.post(f"/moderation/reports/{row.pk}/look/")
        page = client.get(path).content.decode()
        assert "5H 5S" in page and "They had JC" in page
        assert SeenMatch.objects.get().match == match
        other = as_player(a_moderator("Max")).get(path).content.decode()
        assert "5H 5S" not in other, "each chooses for themselves"

    def test_an_old_ordinary_match_is_not_hidden(self, mo: Player) -> None:
        match, (ann, bob) = settled_match()
        self.reported(match, ann, bob)
        (view,) = reports_about(player=bob, reader=mo)
        assert not view.hidden
        assert [line.words for line in view.lines] == ["I had 5H 5S"]

    def test_lines_that_were_added_from_another_match_hide_the_report(self, mo: Player) -> None:
        old, (ann, bob) = settled_match()
        self.reported(old, ann, bob)
        new = Match.objects.create(ruleset=old.ruleset, status="playing")
        for seat, player in enumerate((ann, bob)):
            new.seats.create(seat=seat, player=player)
        ChatLine.objects.create(match=new, author=bob, text="7D again", client_id="b")
        report(reporter=ann, about=bob, reason="abuse", match=new)
        page = as_player(mo).get(f"/moderation/players/{bob.public_id}/").content.decode()
        assert "7D again" not in page

    def test_what_moderators_wrote_about_a_hidden_match_is_hidden_too(
        self, bea: Player, mo: Player
    ) -> None:
        report(reporter=create_guest(), about=bea, reason="name")  # the oldest, about no match
        match, (ann, _) = make_match()
        ChatLine.objects.create(match=match, author=bea, text="I had 5H 5S", client_id="a")
        report(reporter=ann, about=bea, reason="abuse", match=match)
        row = Report.objects.get(match=match)
        path = f"/moderation/players/{bea.public_id}/"
        writer, client = as_player(mo), as_player(a_moderator("Max"))
        assert act(writer, bea, "warn", words="You wrote 5H 5S") == 302
        assert act(writer, bea, "ban", days="0", words="You had 5H 5S") == 302
        writer.post(f"{path}note/", {"text": "Had 5H 5S"})
        act(writer, bea, "warn", words="Told you: 5H 5S", close="on")
        keeper = Player.objects.create_superuser("Keeper")
        entry = ModerationEntry.objects.latest("pk")
        admin = [
            "/admin/games/moderationentry/",
            f"/admin/games/moderationentry/{entry.pk}/change/",
            f"/admin/games/report/{row.pk}/change/",
        ]
        for reader, paths in ((client, [path, "/moderation/log/"]), (as_player(keeper), admin)):
            for each in paths:
                answer = reader.get(each)
                assert answer.status_code == 200
                assert "5H 5S" not in answer.content.decode(), each
            reader.post(f"/moderation/reports/{row.pk}/look/")
        page = client.get(path).content.decode()
        for text in ("You wrote", "You had", "Had", "Told you:"):
            assert f"{text} 5H 5S" in page
        assert "Told you: 5H 5S" in client.get("/moderation/log/").content.decode()
        for each in admin[1:]:
            assert "5H 5S" in as_player(keeper).get(each).content.decode()

    def test_a_case_takes_as_many_queries_for_many_reports_as_for_one(
        self, bea: Player, mo: Player, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        client, path = as_player(mo), f"/moderation/players/{bea.public_id}/"

        def add_one() -> None:
            match, (ann, _) = make_match()
            report(reporter=ann, about=bea, reason="abuse", match=match)
            row = Report.objects.latest("pk")
            moderate(moderator=mo, player=bea, action="warn", reason="swears", report=row)

        add_one()
        with CaptureQueriesContext(connection) as first:
            client.get(path)
        for _ in range(5):
            add_one()
        with django_assert_max_num_queries(len(first)):
            assert client.get(path).status_code == 200

    @pytest.mark.usefixtures("fixed_cards")
    def test_who_looks_is_never_dealt_the_game(self, mo: Player) -> None:
        ann, bob, cat = people(3)
        pair = (ann, bob)
        game = catalogue.choose_game(players=pair)
        match = catalogue.start_match(game=game, players=pair, kind=Play.Kind.RANKED)
        play_on(match)
        Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(days=2))
        match.refresh_from_db()
        row = self.reported(match, ann, bob)
        assert hidden_matches(reader=mo, matches=[match]) == {match.pk}
        assert hidden_matches(reader=ann, matches=[match]) == set(), "they know the cards"
        assert look(reader=mo, report=row) == 1
        play = catalogue.reserve(game=game, players=(mo, cat), kind=Play.Kind.DAILY, match=None)
        assert play.exclusion == Play.Exclusion.PRACTICE
        play.delete()
        seen = [catalogue.choose_game(players=(mo, cat)) for _ in range(20)]
        assert game not in seen


class TestOwnCases:
    """Moderators have no part in what concerns themselves, their linked accounts or programs."""

    @pytest.mark.parametrize("which", ["staff", "other"])
    def test_nobody_unlinks_their_own_accounts(self, bea: Player, mo: Player, which: str) -> None:
        linked_accounts.link(one=mo, other=bea)
        client, player = as_player(mo), mo if which == "staff" else bea
        client.post(f"/moderation/players/{player.public_id}/unlink/")
        assert LinkedAccount.objects.count() == 2
        assert not SeparateAccounts.objects.exists()
        assert not ModerationEntry.objects.exists()
        path = f"/moderation/players/{bea.public_id}/unlink/"
        as_player(a_moderator("Max")).post(path)
        assert SeparateAccounts.objects.count() == 1
        assert ModerationEntry.objects.get().action == "unlink"

    def test_what_cannot_be_moderated_stays_linked(self, bea: Player, mo: Player) -> None:
        linked_accounts.link(one=a_moderator("Max"), other=bea)
        path = f"/moderation/players/{Player.objects.get(name='Max').public_id}/unlink/"
        assert as_player(mo).post(path).status_code == 302
        assert LinkedAccount.objects.count() == 2

    def test_nobody_reads_or_closes_reports_about_their_own_accounts(
        self, bea: Player, mo: Player
    ) -> None:
        linked_accounts.link(one=mo, other=bea)
        bot = Player.objects.create(
            username="bot", name="Mobot", kind=Player.Kind.COMPUTER, bot="x", owner=mo
        )
        client, max_ = as_player(mo), as_player(a_moderator("Max"))
        for player in (mo, bea, bot):
            report(reporter=create_guest(), about=player, reason="abuse", text="swears")
            path = f"/moderation/players/{player.public_id}/"
            assert client.get(path).status_code == 404
            for name in ("act", "dismiss", "note"):
                assert client.post(f"{path}{name}/", {"text": "Fine"}).status_code == 404
            row = Report.objects.get(about=player)
            assert client.post(f"/moderation/reports/{row.pk}/look/").status_code == 404
            assert path not in client.get("/moderation/").content.decode()
            assert path in max_.get("/moderation/").content.decode()
            assert max_.get(path).status_code == 200
        assert not Report.objects.filter(closed_at__isnull=False).exists()

    def test_the_log_names_them_without_a_link(self, bea: Player, mo: Player) -> None:
        linked_accounts.link(one=mo, other=bea)
        cat, max_ = Player.objects.create_user("Cat"), a_moderator("Max")
        for player in (mo, bea, cat):
            ModerationEntry.objects.create(
                player=player, moderator=max_, action="warn", reason="Please stop."
            )
        log = as_player(mo).get("/moderation/log/").content.decode()
        for player, linked in ((mo, False), (bea, False), (cat, True)):
            assert f"<bdi>{player.name}</bdi>" in log
            assert (f"/moderation/players/{player.public_id}/" in log) is linked
        assert mo.public_id in as_player(max_).get("/moderation/log/").content.decode()

    def test_nobody_answers_appeals_and_proposals_about_their_own_accounts(
        self, bea: Player, mo: Player
    ) -> None:
        max_ = a_moderator("Max")
        entry = moderate(moderator=max_, player=bea, action="mute", reason="swears", days=7)
        appeal = make_appeal(player=bea, entry=entry.pk, text="Why?")
        proposal = propose_ban(moderator=max_, player=bea, reason="swears")
        linked_accounts.link(one=mo, other=bea)
        client = as_player(mo)
        assert "Bea" not in strip_tags(client.get("/moderation/").content.decode())
        answer = {"text": "Sorry", "granted": "yes"}
        assert client.post(f"/moderation/appeals/{appeal.pk}/", answer).status_code == 404
        assert client.post(f"/moderation/bans/{proposal.pk}/").status_code == 404

    def test_the_admin_does_not_show_them_either(self, bea: Player) -> None:
        keeper = Player.objects.create_superuser("Keeper")
        for player in (keeper, bea):
            report(reporter=create_guest(), about=player, reason="abuse", text="swears")
        page = as_player(keeper).get("/admin/games/report/").context["cl"]
        assert [row.about for row in page.result_list] == [bea]


class TestBansForGood:
    def test_another_moderator_confirms(self, bea: Player, mo: Player) -> None:
        client, max_ = as_player(mo), a_moderator("Max")
        assert act(client, bea, "ban", days="0") == 302
        bea.refresh_from_db()
        assert bea.is_active
        proposal = bea.ban_proposals.get()
        client.post(f"/moderation/bans/{proposal.pk}/", {"decision": "confirm"})
        bea.refresh_from_db()
        assert bea.is_active, "not by the same moderator"
        as_player(max_).post(f"/moderation/bans/{proposal.pk}/", {"decision": "confirm"})
        bea.refresh_from_db()
        assert not bea.is_active
        assert bea.banned_until is None
        entry = ModerationEntry.objects.get()
        assert (entry.moderator, entry.second, entry.days) == (mo, max_, None)
        with pytest.raises(ValidationError):
            decide_ban(moderator=max_, proposal=proposal.pk, confirmed=False)

    def test_a_proposal_ends_with_the_account_of_its_moderator(
        self, bea: Player, mo: Player
    ) -> None:
        leaver = a_moderator("Max")
        propose_ban(moderator=leaver, player=bea, reason="swears")
        Player.objects.filter(pk=leaver.pk).update(is_staff=False)
        erase(player=Player.objects.get(pk=leaver.pk))
        page = as_player(mo).get(f"/moderation/players/{bea.public_id}/").content.decode()
        assert "Close for good" not in page, "it would be refused as their own"
        propose_ban(moderator=mo, player=bea, reason="swears")

    def test_the_reporters_of_a_player_banned_for_good_are_told(
        self, bea: Player, mo: Player
    ) -> None:
        reporter, max_ = create_guest(), a_moderator("Max")
        report(reporter=reporter, about=bea, reason="abuse")
        assert act(as_player(mo), bea, "ban", days="0", close="on") == 302
        assert Report.objects.get().closed_at is None, "nothing was done yet"
        path = f"/moderation/bans/{bea.ban_proposals.get().pk}/"
        as_player(max_).post(path, {"decision": "confirm"})
        assert "Bea" not in strip_tags(as_player(max_).get("/moderation/").content.decode())
        assert "We acted" in as_player(reporter).get("/decisions/").content.decode()

    def test_a_proposal_can_be_turned_down_and_made_again(self, bea: Player, mo: Player) -> None:
        first = propose_ban(moderator=mo, player=bea, reason="swears")
        with pytest.raises(ValidationError):
            propose_ban(moderator=mo, player=bea, reason="shouts")
        decide_ban(moderator=mo, proposal=first.pk, confirmed=False)
        assert propose_ban(moderator=mo, player=bea, reason="swears again").pk != first.pk


def test_open_and_new_reports_come_before_many_old_ones(bea: Player, mo: Player) -> None:
    now = timezone.now()
    closed = [
        Report(about=bea, reason="name", text=f"{n} days ago", closed_at=now - timedelta(days=n))
        for n in range(1, SHOWN + 10)
    ]
    Report.objects.bulk_create(closed[::-1])
    Report.objects.create(about=bea, reporter=create_guest(), reason="name", text="open")
    told = [view.report.text for view in reports_about(player=bea, reader=mo)]
    assert told == ["open", *(f"{n} days ago" for n in range(1, SHOWN))]
