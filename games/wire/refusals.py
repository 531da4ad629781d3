"""Refusals: a code for programs and a translated sentence for people."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Refused(Exception):
    """A request that a service refused.

    Attributes:
        code: a short name for programs: a key of `SENTENCES`, or a code of the engine's
            IllegalMove.
        detail: what was wrong, for developers.
        message: a sentence for people, in their language.
    """

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        super().__init__(f"{code}: {detail}" if detail else code)

    @property
    def message(self) -> str:
        """The sentence in the active language."""
        return sentence(self.code, self.detail)


def sentence(code: str, detail: str = "") -> str:
    """Return the sentence for ``code``; ``detail`` (or the code) if there is none."""
    known = SENTENCES.get(code)
    return str(known) if known is not None else (detail or code)


SENTENCES: Mapping[str, Promise] = {
    # Messages that do not follow the protocol.
    "malformed": _("That message couldn't be read. Reload the page."),
    "unknown_type": _("Unknown kind of message. Reload the page."),
    "too_long": _("Too long. Shorten it."),
    "too_many": _("Too many messages at once. Wait a moment."),
    "too_many_sockets": _("You have too many tables open. Close some."),
    "id_used": _("This message id is taken. Send a new one."),
    # Permissions, and the state of the match.
    "no_such_match": _("This match doesn't exist. Check the link."),
    "forbidden": _("This table is private. Ask for an invitation."),
    "not_seated": _("Only players at this table can do that."),
    "not_started": _("The match hasn't started yet."),
    "not_offered": _("You can't do that right now."),
    "hints_off": _("Hints are off in this match."),
    "no_hint": _("Hints are only for discarding and playing."),
    "logged_out": _("You're no longer logged in. Log in again."),
    "restart": _("The server is restarting. You'll be reconnected."),
    "busy": _("The server is busy. You'll be reconnected."),
    "unavailable": _("That wasn't saved. Try again."),
    "failed": _("Something went wrong on our side. Try again."),
    # Programs that people connect.
    "bad_token": _("This token doesn't work. Create a new one."),
    "too_slow": _("The program took too long to decide."),
    "no_programs": _("Open tables are for people only."),
    # Friends.
    "no_account": _("Sign up to add friends and keep your games."),
    "no_such_player": _("No player has this name. Check the spelling."),
    "not_askable": _("You can't send this player a friend request right now."),
    "you_blocked": _("You have blocked this player."),
    "friends_already": _("You're already friends."),
    "asked_already": _("You've already sent this player a request."),
    "not_asked_by": _("This player hasn't sent you a request."),
    "too_many_asked": _("Too many open friend requests. Cancel one."),
    "too_many_friends": _("One of you already has 200 friends. That's the limit."),
    "not_friends": _("You can only invite friends from here."),
    # Chat.
    "chat_none": _("There's no one to chat with."),
    "chat_off": _("Your chat is off. Turn it on to write."),
    "chat_off_there": _("The other player has turned chat off."),
    "phrases_only": _("Ranked games allow set phrases only. Pick one."),
    "no_such_phrase": _("This phrase doesn't exist. Pick another."),
    "chat_empty": _("Write something first."),
    "chat_too_long": _("That's over 200 characters. Shorten it."),
    "muted": _("A moderator turned off your chat for now."),
    "too_often": _("You're writing too fast. Wait a moment."),
    # Invitations and seats.
    "no_such_invitation": _("This invitation doesn't exist. Ask for another."),
    "match_full": _("Someone beat you to it: this table is full."),
    "match_closed": _("This invitation has expired. Ask for another."),
    "seat_taken": _("This seat is taken. Choose another."),
    "ranked_seated": _("You're at a club night or tournament table. Finish that game first."),
    "ranked_paused": _("You left ranked games recently, so there's a wait before your next one."),
    "ranked_banned": _("A moderator barred you from ranked games."),
    "no_address": _("Confirm your email address first."),
    "no_push": _("This site doesn't send browser notifications."),
    "bad_browser": _("We can't send notifications to this browser. Try another one."),
    "away_already": _("Your days off have begun. End them before you take new ones."),
    "bad_days_off": _("You don't have that many days off left. Choose fewer."),
    "bad_plan": _("You can't plan that card there. Choose another."),
    "own_seek": _("This is your own game. Someone else has to accept it."),
    "too_many_seeks": _("You've posted as many games as you can. Withdraw one first."),
    "bad_days": _("Choose 1, 2, 3, 5, 7 or 14 days per decision."),
    "no_such_level": _("This computer player doesn't exist. Choose another."),
    # Moves that the rules do not allow.
    "match_over": _("The match is over."),
    "wrong_phase": _("Too late: the game has moved on."),
    "not_your_turn": _("It's not your turn."),
    "not_your_card": _("That card isn't in your hand."),
    "over_31": _("That would pass 31. Play a lower card."),
    "already_discarded": _("You've already discarded."),
    "wrong_number": _("That's the wrong number of cards."),
    "claim_required": _("Say how many points it scores."),
    "claim_not_allowed": _("Nothing to claim: the table counts."),
    "bad_claim": _("Not possible. Choose another number of points."),
    "claim_open": _("Wait for the answer to the last claim."),
    "no_claim_open": _("There's no claim to answer."),
    "not_asked": _("You've already answered this claim."),
    "nothing_to_pass": _("There's no claim to accept."),
    "cannot_resign": _("You can't resign a three-player game. Leave the table instead."),
    "bad_seat": _("This seat doesn't exist. Choose another."),
}
