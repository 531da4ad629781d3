"""What moderators and players send twice, by a double click or the Back button, happens once."""

from __future__ import annotations

import pytest

from games.models import Appeal, BanProposal, ModerationEntry, ModeratorNote, Player
from games.safety import appeals, moderation
from games.safety.proposals import propose_ban
from tests.support.at_once import at_once
from tests.support.moderators import a_moderator, as_player

TIMES = 4

pytestmark = pytest.mark.django_db


@pytest.fixture
def mona() -> Player:
    return a_moderator("Mona")


@pytest.fixture
def bea() -> Player:
    return Player.objects.create_user("Bea", kind=Player.Kind.PERSON, name="Bea")


def send(moderator: Player, address: str, **fields: str) -> None:
    client = as_player(moderator)
    for _ in range(2):
        answer = client.post(address, fields, follow=True)
        assert [each.level_tag for each in answer.context["messages"]] == ["success"]


@pytest.mark.django_db(transaction=True)
def test_clicks_at_once_store_one_warning(mona: Player, bea: Player) -> None:
    def warn() -> None:
        moderation.moderate(moderator=mona, player=bea, action="warn", reason="Swears.")

    at_once(*[warn] * TIMES)
    assert ModerationEntry.objects.count() == 1


def test_an_action_on_the_page_is_taken_once(mona: Player, bea: Player) -> None:
    send(
        mona, f"/moderation/players/{bea.public_id}/act/", action="warn", words="Swears.", days="7"
    )
    assert ModerationEntry.objects.count() == 1


def test_an_action_is_taken_again_after_another_one_or_for_another_reason(
    mona: Player, bea: Player
) -> None:
    wanted = [("mute", "Swears."), ("unmute", "Sorry."), ("mute", "Swears."), ("mute", "Shouts.")]
    for action, reason in wanted:
        for _ in range(2):
            moderation.moderate(moderator=mona, player=bea, action=action, reason=reason, days=None)
    rows = ModerationEntry.objects.order_by("pk").values_list("action", "reason")
    assert list(rows) == wanted


def test_a_note_is_stored_once(mona: Player, bea: Player) -> None:
    send(mona, f"/moderation/players/{bea.public_id}/note/", text="Ask Bob.")
    assert ModeratorNote.objects.count() == 1


def test_a_ban_is_proposed_and_confirmed_once(mona: Player, bea: Player) -> None:
    for _ in range(2):
        propose_ban(moderator=mona, player=bea, reason="Swears.")
    row = BanProposal.objects.get()
    send(a_moderator("Max"), f"/moderation/bans/{row.pk}/", decision="confirm")
    assert ModerationEntry.objects.count() == 1


def test_an_appeal_and_its_reply_are_stored_once(mona: Player, bea: Player) -> None:
    entry = moderation.moderate(moderator=mona, player=bea, action="mute", reason="Swears.")
    for _ in range(2):
        appeals.make_appeal(player=bea, entry=entry.pk, text="I didn't.")
    row = Appeal.objects.get()
    send(a_moderator("Max"), f"/moderation/appeals/{row.pk}/", text="Right.", granted="yes")
    actions = list(ModerationEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["mute", "unmute"]
