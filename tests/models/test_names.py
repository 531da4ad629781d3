"""Player names: which are allowed, and which look alike."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models.names import (
    LONGEST,
    SHORTEST,
    NameRefused,
    check_name,
    is_reserved,
    skeleton,
)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("O'Brien", "O'Brien"),
        ("O’Brien", "O'Brien"),  # as iPhones write it
        ("J. R. Hartley", "J. R. Hartley"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｎｎ", "Ann"),
        ("李明", "李明"),
        ("さくら花", "さくら花"),
        ("か\u309aき", "か\u309aき"),
        ("Анна", "Анна"),
        ("क्षत्रिय", "क्षत्रिय"),
        ("Badminton", "Badminton"),
        ("31", "31"),
    ],
)
def test_allowed_names_are_normalized(typed: str, kept: str) -> None:
    assert check_name(typed) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "length"),
        ("A", "length"),
        ("A" * 21, "length"),
        ("Ann (guest)", "characters"),
        ("Ann\u200bLee", "characters"),
        ("Ann\u202eeeL", "characters"),
        ("Ann\nLee", "characters"),
        ("<b>Ann</b>", "characters"),
        ("Ann\x00", "characters"),
        ("Ann\ufe0f", "characters"),  # a variation selector, which nobody sees
        ("Ad\U000e0100min", "characters"),
        ("\u3164\u3164", "characters"),  # Hangul fillers
        ("Ann\u0591", "script"),  # a Hebrew accent
        ("Ann♥", "characters"),
        ("A\u0301\u0302\u0303\u0304nn", "characters"),
        ("-Ann", "start"),
        (".Ann", "start"),
        ("Аnn", "script"),
        ("Annα", "script"),
        ("admin", "reserved"),
        ("Adm1n", "reserved"),
        ("ádmïn", "reserved"),
        ("ad-min 2", "reserved"),
        ("M0derator", "reserved"),
        ("Guest 12", "reserved"),
        ("The House", None),
        ("House", "reserved"),
        ("h o u s e", "reserved"),
        ("you", "reserved"),
    ],
)
def test_other_names_are_refused_with_a_code(typed: str, code: str | None) -> None:
    if code is None:
        assert check_name(typed)
        return
    with pytest.raises(NameRefused) as refusal:
        check_name(typed)
    assert refusal.value.code == code


def test_no_mark_makes_another_ann() -> None:
    """Some cannot be seen, and fonts show others as nothing or as a dot."""
    marks = (chr(code) for code in range(sys.maxunicode + 1) if _is_mark(chr(code)))
    assert [hex(ord(mark)) for mark in marks if _makes_another_ann(mark)] == []


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def _makes_another_ann(mark: str) -> bool:
    try:
        return skeleton(check_name(f"Ann{mark}")) != skeleton("Ann")
    except NameRefused:
        return False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        ("Bill", "BILL"),
        ("Bill", "BiIl"),
        ("Bill", "B1ll"),
        ("Corn", "Com"),
        ("Ann Lee", "AnnLee"),
        ("Ann Lee", "ann_lee"),
        ("Jose", "José"),
        ("Cope", "Соре"),
        ("Oliver", "0liver"),
        ("O'Brien", "O’Brien"),
    ],
)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Bill", "Will"), ("李明", "李朋")])
def test_different_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=40))
def test_any_text_is_normalized_once_or_refused_with_a_code(text: str) -> None:
    try:
        name = check_name(text)
    except NameRefused as refusal:
        code = refusal.code
    else:
        code = ""
    if code:
        assert code in {"length", "characters", "start", "script", "reserved"}
        return
    assert SHORTEST <= len(name) <= LONGEST
    assert check_name(name) == name
    assert name.isprintable()
    assert not is_reserved(name)
    assert 0 < len(skeleton(name)) <= 200
