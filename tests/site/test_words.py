"""The translations are complete, compiled, and keep every placeholder and tag of the English."""

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


def translations_of(entry: polib.POEntry) -> tuple[str, ...]:
    """Return the translation of a text; all forms for a plural."""
    if entry.msgid_plural:
        return tuple(text for _n, text in sorted(entry.msgstr_plural.items()))
    return (entry.msgstr,)


def texts(path: Path) -> dict[Key, polib.POEntry]:
    """Return the active texts of a .po or .mo file, by context and English text."""
    entries = (polib.mofile if path.suffix == ".mo" else polib.pofile)(str(path))
    return {(one.msgctxt, one.msgid): one for one in entries if not one.obsolete}


def faults(entry: polib.POEntry) -> list[str]:
    """Return the placeholders and tags that a translation has lost or added."""
    one = Counter(PLACES.findall(entry.msgid))
    many = Counter(PLACES.findall(entry.msgid_plural)) if entry.msgid_plural else one
    found = []
    for text in translations_of(entry):
        own = Counter(PLACES.findall(text))
        # A plural form may leave out its number if one of the English forms does.
        if (one & many) - own or own - (one | many):
            found.append(f"{text!r}: has {sorted(own)}, the English {sorted(one | many)}")
        edges = [(each[:1].isspace(), each[-1:].isspace()) for each in (entry.msgid, text)]
        if edges[0] != edges[1]:
            found.append(f"{text!r}: begins or ends with a space otherwise than {entry.msgid!r}")
    return found


@files
def test_the_compiled_translations_are_up_to_date(path: Path) -> None:
    compiled = texts(path.with_suffix(".mo"))
    wanted = {key: one for key, one in texts(path).items() if one.translated() and key[1]}
    assert {key: translations_of(one) for key, one in compiled.items() if key[1]} == {
        key: translations_of(one) for key, one in wanted.items()
    }, "run make words"


@files
def test_no_placeholder_or_tag_is_lost(path: Path) -> None:
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
def test_lost_placeholders_and_tags_are_found(english: str, other: str, wrong: bool) -> None:
    assert bool(faults(polib.POEntry(msgid=english, msgstr=other))) == wrong


def test_a_singular_form_may_leave_out_its_number() -> None:
    waits = polib.POEntry(
        msgid="waits for a player",
        msgid_plural="waits for %(n)d players",
        msgstr_plural={0: "wartet auf einen Spieler", 1: "wartet auf %(n)d Spieler"},
    )
    assert faults(waits) == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_french_results_of_0_and_1_are_not_called_several(domain: str) -> None:
    several = re.compile(r"%\(\w+\)[sd] (?:\w+s )?(?:battus|gagnées|analysées|résolus)\b")
    singular = [translations_of(entry)[0] for entry in texts(_of("fr", domain)).values()]
    assert not [text for text in singular if several.search(text)]
