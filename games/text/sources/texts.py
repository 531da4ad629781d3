"""Texts as they stand in the sources, and the kinds that the rules of length know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "button", "link", "heading", "label", "title", "description", "empty", "error", "notice",
    "command", "admin", "text",
]  # fmt: skip
"""The places where a reader meets a text.

button: on a button, or on a link that looks like one. label: of a field, an option or a picture.
title, description: of a page, in the browser and in search engines. empty: where a list has no
entries. notice: a message on a page after an action, a mail or a push message. command: at the
command line.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A text at one place in the sources.

    Attributes:
        file: its path from the root of the project.
        text: the English text.
        plural: the English text for several; "" without one.
        context: the context for translators; "" without one.
        kind: where readers meet it.
        table: the name of the table of sentences or the dialog that it belongs to; "" for none.
        key: its key in a table, such as the code of a refusal.
    """

    file: str
    text: str
    plural: str = ""
    context: str = ""
    kind: Kind = "text"
    table: str = ""
    key: str = ""
