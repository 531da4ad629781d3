"""Chat phrases in words, for pages; the table has its own in ``static/js/table/chat_panel.js``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import ChatLine

WORDS: Mapping[str, Promise] = {
    "hello": _("Hello!"),
    "good_luck": _("Good luck"),
    "your_turn": _("Your turn!"),
    "well_played": _("Well played"),
    "nice_hand": _("Nice hand"),
    "nice_cut": _("Nice cut"),
    "lucky": _("That was lucky"),
    "oops": _("Oops"),
    "thank_you": _("Thank you"),
    "you_too": _("You too"),
    "one_moment": _("One moment, please"),
    "back": _("I'm back"),
    "good_game": _("Good game"),
    "again": _("Play again?"),
    "sorry_go": _("Sorry, I have to go"),
    "bye": _("Goodbye"),
}
"""Every phrase of `games.people.chat.PHRASES`."""


@dataclass(frozen=True, slots=True)
class ChatText:
    """One chat line as a page shows it."""

    name: str
    words: str


def line_text(line: ChatLine) -> str:
    """Return the text of a line; phrases in the reader's language."""
    return str(WORDS[line.phrase]) if line.phrase else line.text


def chat_texts(lines: Iterable[ChatLine]) -> list[ChatText]:
    """Return chat lines as a page shows them."""
    return [ChatText(line.author.name, line_text(line)) for line in lines]
