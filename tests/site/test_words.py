"""The translations: whole, compiled, and with every placeholder and tag that the English has."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import polib
import pytest
from django.conf import settings

LOCALE = Path(settings.LOCALE_PATHS[0])
TRANSLATED = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
DOMAINS = ("django", "djangojs")
PLACES = re.compile(r"%\(\w+\)[sdr]|%[sd]|%%|\{\w*\}|</?[a-z][^>]*>|&\w+;")


def _of(code: str, domain: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / f"{domain}.po"


files = pytest.mark.parametrize(
    "path",
    [_of(code, domain) for code in TRANSLATED for domain in DOMAINS],
    ids=lambda path: f"{path.parts[-3]}-{path.stem}",
)
Key = tuple[str | None, str]


def said(entry: polib.POEntry) -> tuple[str, ...]:
    """Return the translation of a text, for a plural all its forms."""
    if entry.msgid_plural:
        return tuple(text for _n, text in sorted(entry.msgstr_plural.items()))
    return (entry.msgstr,)


def texts(path: Path) -> dict[Key, polib.POEntry]:
    """Return the texts of a .po file that are in use, by context and English."""
    entries = (polib.mofile if path.suffix == ".mo" else polib.pofile)(str(path))
    return {(one.msgctxt, one.msgid): one for one in entries if not one.obsolete}


def faults(entry: polib.POEntry) -> list[str]:
    """Return what a translation lost or made up beside its English."""
    one = Counter(PLACES.findall(entry.msgid))
    many = Counter(PLACES.findall(entry.msgid_plural)) if entry.msgid_plural else one
    found = []
    for text in said(entry):
        own = Counter(PLACES.findall(text))
        # A form of a plural may leave out its number where one of the English forms does.
        if (one & many) - own or own - (one | many):
            found.append(f"{text!r}: has {sorted(own)}, the English {sorted(one | many)}")
        edges = [(each[:1].isspace(), each[-1:].isspace()) for each in (entry.msgid, text)]
        if edges[0] != edges[1]:
            found.append(f"{text!r}: begins or ends with a space otherwise than {entry.msgid!r}")
    return found


@files
def test_the_compiled_words_are_those_of_the_translators(path: Path) -> None:
    compiled = texts(path.with_suffix(".mo"))
    wanted = {key: one for key, one in texts(path).items() if one.translated() and key[1]}
    assert {key: said(one) for key, one in compiled.items() if key[1]} == {
        key: said(one) for key, one in wanted.items()
    }, "run make words"


@files
def test_no_placeholder_and_no_tag_is_lost(path: Path) -> None:
    translated = [one for one in texts(path).values() if one.translated()]
    assert translated
    assert [fault for one in translated for fault in faults(one)] == []


@files
def test_every_text_is_translated(path: Path) -> None:
    left = [one.msgid for one in texts(path).values() if one.fuzzy or not one.translated()]
    assert left == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_all_languages_have_the_same_texts(domain: str) -> None:
    own = {code: set(texts(_of(code, domain))) for code, _name in settings.LANGUAGES}
    english = own.pop(settings.LANGUAGE_CODE)
    assert english
    for code, keys in own.items():
        assert keys == english, f"{code}: run make messages"


@pytest.mark.parametrize(
    ("english", "other", "wrong"),
    [
        ("%(n)s cards", "%(n)s Karten", False),
        ("%(n)s cards", "Karten", True),
        ("%(n)s cards", "%(m)s Karten", True),
        ("%(n)d cards", "%(n)s Karten", True),
        ('<a href="%(page)s">here</a>', '<a href="%(page)s">hier</a>', False),
        ('<a href="%(page)s">here</a>', '<a href="%(page)s">hier', True),
        (" and ", " und ", False),
        (" and ", "und", True),
    ],
)
def test_what_is_lost_is_found(english: str, other: str, wrong: bool) -> None:
    assert bool(faults(polib.POEntry(msgid=english, msgstr=other))) == wrong


def test_a_form_for_one_may_do_without_its_number() -> None:
    waits = polib.POEntry(
        msgid="waits for a player",
        msgid_plural="waits for %(n)d players",
        msgstr_plural={0: "wartet auf einen Spieler", 1: "wartet auf %(n)d Spieler"},
    )
    assert faults(waits) == []
