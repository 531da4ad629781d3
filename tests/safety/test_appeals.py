"""Appeals against what moderators decided, and the replies to them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.html import strip_tags

from games.models import Player
from games.people.accounts import closed_token, create_guest
from games.safety.appeals import make_appeal, reply
from games.safety.moderation import moderate
from tests.support.moderators import a_moderator, as_player

pytestmark = pytest.mark.django_db


class TestAppeals:
    def test_one_appeal_and_one_reply_which_undoes_the_action(
        self, bea: Player, mo: Player
    ) -> None:
        entry = moderate(moderator=mo, player=bea, action="mute", reason="swears", days=7)
        own = as_player(bea)
        for text in ("It was my brother.", "Again"):
            own.post("/decisions/", {"entry": entry.pk, "text": text})
        appeal = entry.appeal
        assert appeal.text == "It was my brother."
        max_ = a_moderator("Max")
        with pytest.raises(ValidationError, match="another moderator"):
            reply(moderator=mo, appeal=appeal.pk, text="No", granted=False)
        as_player(max_).post(
            f"/moderation/appeals/{appeal.pk}/", {"text": "Sorry.", "granted": "yes"}
        )
        with pytest.raises(ValidationError, match="answered"):
            reply(moderator=max_, appeal=appeal.pk, text="Again", granted=False)
        bea.refresh_from_db()
        assert not bea.is_muted
        page = own.get("/decisions/").content.decode()
        assert "Appeal granted" in page and "Sorry." in page

    def test_the_only_moderator_replies_themselves(self, bea: Player, mo: Player) -> None:
        entry = moderate(moderator=mo, player=bea, action="warn", reason="swears")
        appeal = make_appeal(player=bea, entry=entry.pk, text="Why?")
        assert reply(moderator=mo, appeal=appeal.pk, text="You swore.", granted=False).replied_at

    def test_who_has_only_the_right_is_another_moderator(self, bea: Player, mo: Player) -> None:
        entry = moderate(moderator=mo, player=bea, action="warn", reason="swears")
        appeal = make_appeal(player=bea, entry=entry.pk, text="Why?")
        max_ = a_moderator("Max")
        Player.objects.filter(pk=max_.pk).update(is_staff=False)
        with pytest.raises(ValidationError, match="another moderator"):
            reply(moderator=mo, appeal=appeal.pk, text="No", granted=False)
        Player.objects.filter(pk=max_.pk).update(is_active=False)
        assert reply(moderator=mo, appeal=appeal.pk, text="No", granted=False).replied_at

    def test_an_appeal_against_an_old_ban_does_not_lift_a_later_one(
        self, bea: Player, mo: Player
    ) -> None:
        max_ = a_moderator("Max")
        old = moderate(moderator=mo, player=bea, action="ban", reason="swears", days=1)
        new = moderate(moderator=mo, player=bea, action="ban", reason="again", second=max_)
        answers = []
        for entry in (old, new):
            appeal = make_appeal(player=bea, entry=entry.pk, text="Sorry")
            reply(moderator=a_moderator(f"M{entry.pk}"), appeal=appeal.pk, text="Ok", granted=True)
            bea.refresh_from_db()
            answers.append(bea.is_active)
        assert answers == [False, True]

    def test_a_banned_player_appeals_by_the_page_that_their_password_opens(
        self, bea: Player, mo: Player
    ) -> None:
        entry = moderate(moderator=mo, player=bea, action="ban", reason="swears", days=7)
        bea.refresh_from_db()
        path = f"/decisions/{closed_token(bea)}/"
        assert Client().post(path, {"entry": entry.pk, "text": "Sorry!"}).status_code == 302
        assert "Sorry!" in Client().get(path).content.decode()
        assert Client().get(path[:-3] + "x/").status_code == 404
        reply(moderator=a_moderator("Max"), appeal=entry.appeal.pk, text="Fine.", granted=True)
        bea.refresh_from_db()
        assert bea.is_active
        assert Client().get(path).status_code == 404, "they can log in again"

    def test_an_appeal_that_is_sent_too_late_is_kept_and_leads_to_the_log_in(
        self, bea: Player, mo: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        entry = moderate(moderator=mo, player=bea, action="ban", reason="swears", days=7)
        path = f"/decisions/{closed_token(bea)}/"
        monkeypatch.setattr("games.people.accounts.CLOSED_FOR", timedelta(0))
        page = Client().get(path).content.decode()
        assert "This page has expired" in page and "Your appeal wasn" not in page
        late = Client().post(path, {"entry": entry.pk, "text": "It was <b>my</b> brother."})
        said = late.content.decode()
        assert "It was &lt;b&gt;my&lt;/b&gt; brother." in said and 'href="/accounts/login/"' in said
        assert bea.name not in strip_tags(said) and "swears" not in said

    def test_a_form_that_is_sent_without_a_session_says_why_it_is_not_saved(self) -> None:
        client = Client()
        seen = client.get("/decisions/", follow=True).content.decode()
        assert "nothing was saved" not in seen
        sent = client.post("/decisions/", {"entry": 1, "text": "Why?"}, follow=True)
        assert sent.redirect_chain[0][0].startswith("/accounts/login/?next=/decisions/")
        assert "logged out, so nothing was saved" in sent.content.decode()

    def test_nobody_appeals_for_another(self, bea: Player, mo: Player) -> None:
        entry = moderate(moderator=mo, player=bea, action="warn", reason="swears")
        with pytest.raises(ValidationError):
            make_appeal(player=create_guest(), entry=entry.pk, text="Me too")
