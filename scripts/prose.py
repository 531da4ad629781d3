"""Check the words of the site's texts, in every language: forbidden words, lengths, terms.

    python -m scripts.prose           all languages
    python -m scripts.prose de fr     these

It reads the catalogues in locale/, English from their keys, and the rules from scripts/prose.toml.
Each finding is a line with the file, the text and the rule; counts follow. docs/translating.md says
how the pages speak. This is a script because neither textlint nor Vale reads .po files, with their
plurals and contexts, or knows which text is on a button.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import polib

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_suffix(".toml")
LOCALE = ROOT / "locale"
ENGLISH = "en"

_PLACE = re.compile(r"%\(\w+\)[sdr]|%[sd]|\{\w*\}")
_CODE = re.compile(r"<code>.*?</code>|</?[a-z][^>]*>|&\w+;|https?://\S+", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?…:;])\s+|\n")
_THOUSANDS = re.compile(r"(?<=\d)[\s,.](?=\d{3})")
_WORD = re.compile(r"[\w’'◊-]+")


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a catalogue, or one form of its plural.

    Attributes:
        place: the file and the line.
        language: the language code.
        words: the text.
        english: its English text.
        kinds: where readers meet it (`games.text.sources.texts.Kind`).
    """

    place: str
    language: str
    words: str
    english: str
    kinds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """A text that breaks a rule, and what the rule says."""

    text: Text
    rule: str
    say: str


class Rules:
    """The rules of scripts/prose.toml."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.limits: dict[str, int] = {
            kind: most for kind, most in data["limits"].items() if isinstance(most, int)
        }
        self.most_words: int = data["limits"]["words"]["sentence"]
        self.forbidden = {
            language: [_Forbidden(rule) for rule in rules]
            for language, rules in data["forbidden"].items()
        }
        self.terms: list[dict[str, re.Pattern[str]]] = [
            {code: re.compile(words, re.IGNORECASE) for code, words in term.items()}
            for term in data["term"]
        ]
        for term in self.terms:
            term[ENGLISH] = re.compile(rf"\b(?:{term[ENGLISH].pattern})\b", re.IGNORECASE)

    def findings(self, text: Text) -> Iterator[Finding]:
        """Yield what is wrong with a text."""
        plain = _PLACE.sub("◊", _CODE.sub(" ", text.words))
        for rule in self.forbidden.get(text.language, []):
            found = rule.found_in(plain)
            if found:
                yield Finding(text, f"“{found}”", rule.say)
        yield from self._too_long(text, plain)
        yield from self._other_terms(text, plain)

    def _too_long(self, text: Text, plain: str) -> Iterator[Finding]:
        letters = len(plain.replace("◊", "").strip())
        for kind in sorted(text.kinds & self.limits.keys()):
            if letters > self.limits[kind]:
                yield Finding(
                    text, f"a {kind} of {letters} letters", f"at most {self.limits[kind]}"
                )
        sentences = _SENTENCE_END.split(_THOUSANDS.sub("", plain))
        longest = max((len(_WORD.findall(one)) for one in sentences), default=0)
        if longest > self.most_words:
            yield Finding(text, f"a sentence of {longest} words", f"at most {self.most_words}")

    def _other_terms(self, text: Text, plain: str) -> Iterator[Finding]:
        if text.language == ENGLISH:
            return
        for term in self.terms:
            used = term[ENGLISH].search(_PLACE.sub("◊", _CODE.sub(" ", text.english)))
            if used and text.language in term and not term[text.language].search(plain):
                wanted = term[text.language].pattern
                yield Finding(text, f"another word for “{used[0].lower()}”", wanted)


class _Forbidden:
    """Words that a language's texts may not have, and what to say instead."""

    def __init__(self, rule: dict[str, Any]) -> None:
        flags = re.NOFLAG if rule.get("case") else re.IGNORECASE
        whole = rule["find"] if rule.get("part") else rf"(?<!\w)(?:{rule['find']})(?!\w)"
        self.find = re.compile(whole, flags)
        self.but = re.compile(rule["but"], flags) if "but" in rule else None
        self.say: str = rule["say"]

    def found_in(self, plain: str) -> str | None:
        found = self.find.search(self.but.sub(" ", plain) if self.but else plain)
        return None if found is None else (found[0].strip() or found.string[:20])


def rules() -> Rules:
    """Return the rules of scripts/prose.toml."""
    return Rules(tomllib.loads(RULES.read_text()))


def texts(languages: list[str]) -> Iterator[Text]:
    """Yield the texts of the catalogues of these languages, without those not translated yet."""
    kinds = _kinds()
    for language in languages:
        for path in sorted((LOCALE / language / "LC_MESSAGES").glob("*.po")):
            for entry in polib.pofile(str(path)):
                place = f"{path.relative_to(ROOT)}:{entry.linenum}"
                known = kinds.get((entry.msgctxt or "", entry.msgid), frozenset())
                for words, english in _forms(entry, language):
                    yield Text(place, language, words, english, known)


def _forms(entry: polib.POEntry, language: str) -> list[tuple[str, str]]:
    """Return the forms of a text, each with the English text."""
    if language == ENGLISH:
        forms = [entry.msgid, *([entry.msgid_plural] if entry.msgid_plural else [])]
    elif entry.fuzzy:
        forms = []
    else:
        forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    return [(form, entry.msgid) for form in dict.fromkeys(forms) if form]


def _kinds() -> dict[tuple[str, str], frozenset[str]]:
    """Return the kinds of each text, by its context and its English."""
    from games.text.sources.reading import all_texts

    kinds: dict[tuple[str, str], frozenset[str]] = {}
    for found in all_texts():
        key = found.context, found.text
        kinds[key] = kinds.get(key, frozenset()) | {found.kind}
    return kinds


def main() -> int:
    """Run the command line; return the exit status."""
    django.setup()
    from django.conf import settings

    languages = sys.argv[1:] or [code for code, _name in settings.LANGUAGES]
    known = rules()
    counts: Counter[str] = Counter(dict.fromkeys(languages, 0))
    for text in texts(languages):
        for finding in known.findings(text):
            counts[text.language] += 1
            print(f"{text.place}: {finding.rule} ({finding.say}): {text.words!r}")
    print("; ".join(f"{language}: {number} findings" for language, number in counts.items()))
    return 1 if counts.total() else 0


if __name__ == "__main__":
    raise SystemExit(main())
