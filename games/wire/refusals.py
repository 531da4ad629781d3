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
    "malformed": _("The message could not be read."),
    "unknown_type": _("This kind of message is not known."),
    "too_long": _("The message is too long."),
    "too_many": _("Too many messages. Please wait a moment."),
    "too_many_sockets": _("Too many tables are open at once. Please close some of them."),
    "id_used": _("This message id has already been used for another move."),
    # Permissions, and the state of the match.
    "no_such_match": _("There is no such match."),
    "forbidden": _("This table is private."),
    "not_seated": _("You do not sit at this table."),
    "not_started": _("The match has not begun yet."),
    "not_offered": _("This is not possible now."),
    "hints_off": _("There are no hints in this match."),
    "no_hint": _("There is a hint for a throw or a card, and not for this."),
    "restart": _("The server restarts. You are connected again in a moment."),
    "busy": _("The server is busy. You are connected again in a moment."),
    "unavailable": _("The server could not store this. Please try again."),
    "failed": _("Something went wrong on the server. Please try again."),
    # Programs that people connect.
    "bad_token": _("This token lets nobody in. It may have been revoked."),
    "too_slow": _("The program took too long over a decision."),
    "no_programs": _("Open tables are for people. Ask a program to a private one."),
    # Friends.
    "no_account": _("Friends are for players with an account: sign up, and your games stay yours."),
    "no_such_player": _("No player has this name."),
    "not_askable": _("This player cannot be asked now."),
    "you_blocked": _("You have blocked this player."),
    "friends_already": _("You are friends already."),
    "asked_already": _("You have asked this player already."),
    "not_asked_by": _("This player has not asked you."),
    "too_many_asked": _("Too many of your requests wait for an answer. Take one back first."),
    "too_many_friends": _("A list holds 200 friends, and one of the two is full."),
    "not_friends": _("Only friends can be asked to a table from here."),
    # Chat.
    "chat_none": _("There is nobody here to write to."),
    "chat_off": _("You have switched the chat off."),
    "chat_off_there": _("Chat is switched off on the other side: nobody would read this."),
    "phrases_only": _("In ranked games there are ready-made phrases alone."),
    "no_such_phrase": _("There is no such phrase."),
    "chat_empty": _("There is nothing to send."),
    "chat_too_long": _("A line has 200 characters at most."),
    "muted": _("A moderator has taken writing from you for a while."),
    "too_often": _("You write very fast. Please wait a moment."),
    # Invitations and seats.
    "no_such_invitation": _("This invitation is not known."),
    "match_full": _("Somebody else was quicker: all seats are taken."),
    "match_closed": _("This invitation is over: the match has begun or was called off."),
    "seat_taken": _("This seat is taken."),
    "ranked_paused": _(
        "You left ranked games lately, so that you wait before the next one. "
        "This page says which they were and until when."
    ),
    "no_address": _("Mails go to an address that you have confirmed, and you have none yet."),
    "no_push": _("This site sends no messages to browsers."),
    "bad_browser": _("This browser's push service is not known here."),
    "bad_days": _("A decision by correspondence has 1, 2, 3, 5, 7 or 14 days."),
    "no_such_level": _("There is no such computer player."),
    # Moves that the rules do not allow.
    "match_over": _("The match is over."),
    "wrong_phase": _("That does not fit now: the game has moved on."),
    "not_your_turn": _("It is not your turn."),
    "not_your_card": _("You do not hold this card."),
    "over_31": _("This card would pass 31."),
    "already_discarded": _("You have discarded already; a discard is final."),
    "wrong_number": _("That is not the right number of cards."),
    "claim_required": _("Say how many points the card makes."),
    "claim_not_allowed": _("The server counts here; points are not claimed."),
    "bad_claim": _("That many points cannot be claimed."),
    "claim_open": _("The claim before this one has not been answered yet."),
    "no_claim_open": _("There is no claim to answer."),
    "not_asked": _("You have answered this claim already."),
    "nothing_to_pass": _("There is nothing to pass."),
    "cannot_resign": _("With three players, leave your seat to the computer instead."),
    "bad_seat": _("There is no such seat."),
}
