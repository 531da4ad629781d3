"""The texts of browser modules, whose markup stands in tagged templates: html`...`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from games.text.sources.markup import mark, with_kinds
from games.text.sources.texts import Found

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_CALL = re.compile(
    rf"\b(?P<name>n?p?gettext)\(\s*(?P<first>{_STRING})"
    rf"(?:\s*,\s*(?P<second>{_STRING}))?(?:\s*,\s*(?P<third>{_STRING}))?"
)
_STOP = re.compile(r"\bn?p?gettext\(|\bhtml`|[`\"'/{}]")
"""Places at which the parser stops to look more closely."""
_SKIPPED = re.compile(rf"//[^\n]*|/\*.*?\*/|{_STRING}|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
"""Comments and strings, whose brackets and quotes mean nothing."""
_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/")
"""A regular expression; it follows one of these signs, where a division cannot stand."""
_BEFORE_PATTERN = tuple("(,=:!&|?[{};")


def texts_of_script(path: Path, name: str) -> list[Found]:
    """Return the texts of a browser module in their order, with their kinds.

    Args:
        path: the module.
        name: its path from the root of the project.
    """
    reader = _Reader(path.read_text(), name)
    markup = "".join(reader.code(end=""))
    return with_kinds(markup, reader.found)


class _Reader:
    """Turns a module into the markup of its templates; other texts stand between them."""

    def __init__(self, source: str, name: str) -> None:
        self.source = source
        self.name = name
        self.found: list[Found] = []
        self.at = 0

    def code(self, end: str) -> Iterator[str]:
        """Yield the markup in code up to its `end`: a closing brace, or "" for the end of file."""
        depth = 0
        while stop := _STOP.search(self.source, self.at):
            self.at = stop.start()
            if call := _CALL.match(self.source, self.at):
                self.at = call.end()
                yield self._noted(call)
            elif stop[0].endswith("`"):
                self.at = stop.end()
                yield from self.template(shown=stop[0] != "`")
            elif skipped := self._skipped():
                self.at = skipped.end()
            else:
                self.at = stop.end()
                depth += (stop[0] == "{") - (stop[0] == "}")
                if end and depth < 0:
                    return

    def _skipped(self) -> re.Match[str] | None:
        before = self.source[max(0, self.at - 80) : self.at].rstrip()
        pattern = before.endswith(_BEFORE_PATTERN) and _PATTERN.match(self.source, self.at)
        return _SKIPPED.match(self.source, self.at) or pattern or None

    def template(self, *, shown: bool) -> Iterator[str]:
        """Yield the markup of a template up to its end; only the texts in it if not `shown`."""
        start = self.at
        while self.at < len(self.source):
            if self.source.startswith("${", self.at):
                if shown:
                    yield self.source[start : self.at]
                yield from self._value(self.source[start : self.at] if shown else "")
                start = self.at
            elif self.source[self.at] == "\\":
                self.at += 2
            elif self.source[self.at] == "`":
                self.at += 1
                if shown:
                    yield self.source[start : self.at - 1]
                return
            else:
                self.at += 1

    def _value(self, before: str) -> Iterator[str]:
        """Yield the markup of a value in a template; a component is an element of its name."""
        start = self.at
        self.at += 2
        inner = "".join(self.code(end="}"))
        component = re.fullmatch(r"\$\{(\w+)\}", self.source[start : self.at])
        if component and before.endswith(("<", "</")):
            yield f"x-{component[1].lower()}"
        else:
            yield inner

    def _noted(self, call: re.Match[str]) -> str:
        words = [json.loads(call[name]) for name in ("first", "second", "third") if call[name]]
        context = words.pop(0) if "p" in call["name"].removesuffix("gettext") else ""
        plural = words[1] if call["name"].startswith("n") else ""
        self.found.append(Found(self.name, words[0], plural, context=context))
        return mark(len(self.found) - 1)
