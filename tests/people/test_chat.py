"""Table chat: who may write what, who can read it, and how long it is kept."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.engine.state import Ruleset
from games.models import ChatLine, Decks, Match, Mute, Player, Report
from games.people import chat, friendships
from games.people import chat_service as services
from games.people.accounts import GUEST_BACKEND, create_guest, merge_guest
from games.people.chat import clean
from games.people.chat_phrases import WORDS
from games.safety import moderation
from games.safety.erasure import erase
from games.tables.ranked import begin_ranked
from games.tables.tables import create_match, join_match
from games.wire.refusals import Refused
from tests.support.people import make_computer_match, make_match

pytestmark = pytest.mark.django_db


MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


def write(match: Match, player: Player, ident: str = "a-1", **words: str) -> None:
    services.write_line(match=match.pk, player=player.pk, client_id=ident, **words)


def refused(match: Match, player: Player, **words: str) -> str:
    with pytest.raises(Refused) as refusal:
        write(match, player, "r-1", **words)
    return refusal.value.code


def room_of(match: Match) -> chat.Room:
    return chat.load_rooms([match.pk])[match.pk]


def read(match: Match, player: Player) -> list[str]:
    """Return the lines shown to a player, oldest first."""
    return [line.phrase or line.text for line in room_of(match).shown_to(player.pk)]


def ranked_match() -> tuple[Match, list[Player]]:
    people = [create_guest(), create_guest()]
    return begin_ranked(players=people, decks=Decks.objects.create(packs=[]), clock=None), people


class TestWords:
    @pytest.mark.parametrize(
        ("text", "kept"),
        [
            ("  two   words\t\n", "two words"),
            ("a\u202etxt.exe", "atxt.exe"),
            ("\u2066left\u2069 \u200f\u061cright", "left right"),
            ("nul\0 bell\a esc\x1b[31m", "nul bell esc[31m"),
            ("z" + "\u0335" * 40, "z" + "\u0335" * 4),
            ("e\u0301", "\u00e9"),
            ("zero\u200bwidth\ufeff", "zerowidth"),
            ("\u200d \u3164 \u2800", ""),
            ("\U0001f469\u200d\U0001f680 and \u0645\u06cc\u200c\u062e", None),
            (MARKUP, None),
        ],
    )
    def test_invisible_characters_are_removed_and_the_rest_is_kept(
        self, text: str, kept: str | None
    ) -> None:
        assert clean(text) == (text if kept is None else kept)

    def test_empty_and_overlong_lines_are_refused(self) -> None:
        match, (ann, _bob) = make_match()
        assert refused(match, ann, text=" \u202e ") == "chat_empty"
        assert refused(match, ann, text="x" * 201) == "chat_too_long"
        write(match, ann, text="x" * 200)
        assert read(match, ann) == ["x" * 200]

    def test_every_phrase_has_words(self) -> None:
        assert list(WORDS) == list(chat.PHRASES)

    def test_the_browser_has_the_same_words(self) -> None:
        script = Path("static/js/table/chat_panel.js").read_text()
        script = script[script.index("PHRASES = {") : script.index("};")]
        found = re.findall(r'^  (\w+): \(\) => gettext\("(.+)"\),$', script, re.MULTILINE)
        assert dict(found) == {phrase: str(text) for phrase, text in WORDS.items()}


class TestWriting:
    def test_both_players_read_a_line_and_a_resend_is_stored_once(self) -> None:
        match, (ann, bob) = make_match()
        for _ in range(2):
            write(match, ann, text="Hello")
        write(match, bob, phrase="good_luck")
        assert read(match, ann) == read(match, bob) == ["Hello", "good_luck"]
        assert refused_again(match, ann) == "id_used"

    def test_a_ranked_match_allows_phrases_only(self) -> None:
        match, (ann, bob) = ranked_match()
        assert refused(match, ann, text="I hold two fives") == "phrases_only"
        assert refused(match, ann, phrase="my_secret") == "no_such_phrase"
        write(match, ann, phrase="good_luck")
        assert read(match, bob) == ["good_luck"]

    def test_only_seated_players_with_a_human_reader_can_write(self) -> None:
        match, _people = make_match()
        assert refused(match, create_guest(), text="psst") == "not_seated"
        alone, person = make_computer_match()
        assert refused(alone, person, text="Hello, Walter") == "chat_none"

    def test_a_computer_in_the_third_seat_does_not_disable_the_chat(self) -> None:
        ann, bob = create_guest(), create_guest()
        match = create_match(creator=ann, ruleset=Ruleset(players=3), computers={2: "poppy"})
        assert refused(match, ann, text="Anybody?") == "chat_none"
        join_match(player=bob, invite=match.invite)
        write(match, ann, text="There you are")
        assert read(match, bob) == ["There you are"]

    def test_writing_too_fast_is_refused(self) -> None:
        match, (ann, bob) = make_match()
        times, _seconds = settings.LIMITS["chat"]
        for number in range(times):
            write(match, ann, f"n-{number}", text="again and again")
        assert refused(match, ann, text="once more") == "too_often"
        write(match, bob, text="each for himself")

    def test_lines_of_the_previous_match_stay_visible_in_the_rematch(self) -> None:
        match, (ann, bob) = make_match()
        write(match, ann, phrase="good_game")
        following, _ = make_match()
        following.seats.filter(seat=0).update(player=ann)
        following.seats.filter(seat=1).update(player=bob)
        Match.objects.filter(pk=match.pk).update(rematch=following)
        assert read(following, bob) == ["good_game"]
        moderation.report(reporter=bob, about=ann, reason="abuse", match=following)
        assert [line.phrase for line in Report.objects.get().lines.all()] == ["good_game"]


def refused_again(match: Match, player: Player) -> str:
    with pytest.raises(Refused) as refusal:
        write(match, player, text="another text under the same id")
    return refusal.value.code


class TestSwitch:
    def test_a_player_with_chat_off_neither_reads_nor_writes_and_others_are_told(self) -> None:
        match, (ann, bob) = make_match()
        write(match, ann, text="Hello")
        services.switch(player=bob.pk, on=False)
        assert read(match, bob) == []
        assert refused(match, bob, text="no") == "chat_off"
        assert refused(match, ann, text="are you there?") == "chat_off_there"
        later, _ = make_match()
        later.seats.filter(seat=0).update(player=bob)
        assert room_of(later).reads[bob.pk] is False, "it stays off"
        services.switch(player=bob.pk, on=True)
        assert read(match, bob) == ["Hello"]


class TestMute:
    def test_a_muted_player_is_not_read_at_this_or_later_tables_and_not_told(self) -> None:
        match, (ann, bob) = make_match()
        write(match, bob, text="Nag, nag")
        services.mute(player=ann, other=bob)
        assert (read(match, ann), read(match, bob)) == ([], ["Nag, nag"])
        write(match, bob, "b-2", text="Do you hear?")
        later, _ = make_match()
        later.seats.filter(seat=0).update(player=ann)
        later.seats.filter(seat=1).update(player=bob)
        write(later, bob, text="Me again")
        assert read(later, ann) == []
        services.unmute(player=ann, other=bob)
        assert read(later, ann) == ["Me again"]

    def test_mutes_survive_when_a_guest_logs_in(self) -> None:
        match, (guest, pest) = make_match()
        write(match, guest, text="Mine")
        services.mute(player=guest, other=pest)
        account = Player.objects.create_user("Ann")
        merge_guest(guest=guest, account=account)
        assert list(chat.muted_by(player=account)) == [pest]
        assert ChatLine.objects.get().author == account
        merge_guest(guest=pest, account=(known := Player.objects.create_user("Pest")))
        assert list(chat.muted_by(player=account)) == [known], "logging in does not evade a mute"

    def test_a_blocked_player_is_not_read_either(self) -> None:
        ann, bob = (Player.objects.create_user(name) for name in ("Ann", "Bob"))
        match, _ = make_match()
        for seat, player in enumerate((ann, bob)):
            match.seats.filter(seat=seat).update(player=player)
        write(match, bob, text="Hm")
        friendships.block(player=ann, other=bob)
        assert read(match, ann) == []

    def test_a_player_muted_by_a_moderator_cannot_write_and_is_told_why(self) -> None:
        match, (ann, bob) = make_match()
        mo = Player.objects.create_user("Mo")
        moderation.moderate(moderator=mo, player=bob, action="mute", reason="Swore.", days=3)
        assert refused(match, bob, text="But I") == "muted"
        assert refused(match, bob, phrase="oops") == "muted"
        barred = room_of(match).barred
        assert set(barred) == {bob.pk}
        assert barred[bob.pk].reason == "Swore."
        assert timedelta(days=2) < barred[bob.pk].until - timezone.now() < timedelta(days=3)
        moderation.moderate(moderator=mo, player=bob, action="unmute", reason="Sorry.")
        write(match, bob, text="Thank you")
        assert read(match, ann) == ["Thank you"]


class TestReportsAndRetention:
    def test_old_lines_are_deleted_except_those_in_an_open_report(self) -> None:
        match, (ann, bob) = make_match()
        other, (carl, _dan) = make_match()
        write(match, bob, text="Old and bad")
        write(other, carl, text="Old")
        long_ago = timezone.now() - services.KEPT - timedelta(hours=1)
        ChatLine.objects.update(at=long_ago)
        write(match, ann, text="New")
        moderation.report(reporter=ann, about=bob, reason="abuse", match=match)
        assert services.delete_old_lines() == 1
        assert set(ChatLine.objects.values_list("text", flat=True)) == {"Old and bad", "New"}
        moderation.close_report(report=Report.objects.get())
        assert services.delete_old_lines() == 1

    def test_a_report_includes_the_chat_and_later_reports_add_to_it(self) -> None:
        match, (ann, bob) = make_match()
        write(match, bob, text="First")
        services.mute(player=ann, other=bob)
        assert moderation.report(reporter=ann, about=bob, reason="abuse", match=match)
        write(match, bob, "b-2", text="Second")
        assert not moderation.report(reporter=ann, about=bob, reason="abuse", match=match)
        lines = Report.objects.get().lines.order_by("pk")
        assert [line.text for line in lines] == ["First", "Second"]

    def test_a_report_by_an_outsider_includes_no_chat(self) -> None:
        match, (_ann, bob) = make_match()
        write(match, bob, text="Between us")
        nosy = Client()
        nosy.force_login(create_guest(), backend=GUEST_BACKEND)
        address = f"/report/{bob.public_id}/?match={match.public_id}"
        assert "Between us" not in nosy.get(address).content.decode()
        nosy.post(address, {"reason": "abuse", "match": match.public_id})
        assert not Report.objects.get().lines.exists()

    def test_a_report_about_a_guest_who_has_logged_in_is_kept_and_offers_their_account(
        self,
    ) -> None:
        match, (ann, guest) = make_match()
        client = Client()
        client.force_login(ann, backend=GUEST_BACKEND)
        address = f"/report/{guest.public_id}/"
        bob = Player.objects.create_user("Bob", kind=Player.Kind.PERSON, name="Bob")
        merge_guest(guest=guest, account=bob)
        told = {"reason": "abuse", "text": "They swear.", "match": match.public_id}
        answer = client.post(address, told)
        assert (answer.status_code, client.get(address).status_code) == (410, 404)
        page = answer.content.decode()
        assert "They swear." in page
        assert f'formaction="/report/{bob.public_id}/"' in page
        client.post(f"/report/{bob.public_id}/", told)
        assert Report.objects.get().about == bob
        elsewhere = client.post(address, {**told, "match": ""}).content.decode()
        assert "They swear." in elsewhere
        assert "formaction" not in elsewhere

    def test_markup_stays_text_on_the_report_page_and_in_the_admin(self) -> None:
        match, (ann, bob) = make_match()
        write(match, bob, text=MARKUP)
        client = Client()
        client.force_login(ann, backend=GUEST_BACKEND)
        address = f"/report/{bob.public_id}/?match={match.public_id}"
        pages = [client.get(address).content.decode()]
        client.post(address, {"reason": "abuse", "match": match.public_id})
        ended = timezone.now() - timedelta(days=1)  # of a running match the admin shows no texts
        Match.objects.filter(pk=match.pk).update(status="finished", finished_at=ended)
        keeper = Player.objects.create_superuser("Keeper")
        client.force_login(keeper, backend=GUEST_BACKEND)
        shown = client.get(f"/admin/games/report/{Report.objects.get().pk}/change/")
        pages.append(shown.content.decode())
        for page in pages:
            assert "&lt;img src=x onerror=" in page
            assert "<img src=x" not in page and "<script>alert(2)" not in page

    def test_an_export_has_the_players_own_lines_and_mutes_only(self) -> None:
        match, (_guest, bob) = make_match()
        ann = Player.objects.create_user("Ann")
        match.seats.filter(seat=0).update(player=ann)
        write(match, ann, text="Mine to keep")
        write(match, bob, text="His to keep")
        services.mute(player=ann, other=bob)
        services.mute(player=bob, other=ann)
        client = Client()
        client.force_login(ann, backend=GUEST_BACKEND)
        content = client.get("/data/everything.zip").getvalue()
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            lines = json.loads(archive.read("games_chatline_author.json"))
            mutes = json.loads(archive.read("games_mute_muter.json"))
            texts = [archive.read(name).decode() for name in archive.namelist()]
        assert [line["text"] for line in lines] == ["Mine to keep"]
        assert [mute["muted"] for mute in mutes] == [bob.public_id]
        assert not any("His to keep" in text for text in texts)
        assert not any(f'"muter": "{bob.public_id}"' in text for text in texts)

    def test_the_command_deletes_lines_older_than_the_given_days(self) -> None:
        match, (ann, _bob) = make_match()
        write(match, ann, text="Old")
        ChatLine.objects.update(at=timezone.now() - timedelta(days=9))
        write(match, ann, "a-2", text="New")
        said = io.StringIO()
        call_command("forget_chat", "--days", "8", stdout=said)
        assert said.getvalue() == "1 lines deleted\n"
        with pytest.raises(CommandError, match="0 or more"):
            call_command("forget_chat", "--days", "-1")
        with pytest.raises(CommandError):
            call_command("forget_chat", "--days", "999999999999")

    def test_erasing_an_account_deletes_its_lines_and_mutes(self) -> None:
        match, (_guest, bob) = make_match()
        ann = Player.objects.create_user("Ann")
        match.seats.filter(seat=0).update(player=ann)
        write(match, ann, text="Mine")
        write(match, bob, text="His")
        moderation.report(reporter=bob, about=ann, reason="abuse", match=match)
        services.mute(player=ann, other=bob)
        services.mute(player=bob, other=ann)
        erase(player=ann)
        assert [line.text for line in ChatLine.objects.all()] == ["His"]
        assert not Mute.objects.exists()


def test_loading_a_chat_room_takes_three_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    match, (ann, bob) = make_match()
    write(match, ann, text="Hello")
    services.mute(player=bob, other=ann)
    with django_assert_num_queries(3):
        room = room_of(match)
    assert room.mutes == {(bob.pk, ann.pk)}
    assert not room.blocks


def test_several_chat_rooms_take_as_many_queries_as_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rooms = []
    for number in range(3):
        match, people = make_match()
        write(match, people[0], text=f"Line {number}")
        services.mute(player=people[0], other=people[1])
        rooms.append((match, people))
    alone = create_match(creator=create_guest(), ruleset=Ruleset())
    with django_assert_num_queries(3):
        found = chat.load_rooms([match.pk for match, _ in rooms] + [alone.pk])
    assert found.pop(alone.pk) == chat.EMPTY
    shown = [[line.text for line in found[match.pk].lines] for match, _ in rooms]
    assert shown == [["Line 0"], ["Line 1"], ["Line 2"]]
    for match, people in rooms:
        assert set(found[match.pk].reads) == {person.pk for person in people}
        assert found[match.pk].mutes == {(people[0].pk, people[1].pk)}


def test_chats_in_which_nobody_writes_or_hides_anybody_take_one_query(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rooms = [make_match() for _ in range(2)]
    with django_assert_num_queries(1):
        found = chat.load_rooms([match.pk for match, _ in rooms])
    for match, people in rooms:
        assert found[match.pk].reads == {person.pk: True for person in people}
        assert (found[match.pk].lines, found[match.pk].mutes) == ((), frozenset())
