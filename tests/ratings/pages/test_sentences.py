"""Rating numbers as displayed: rounded, signed, and in the page's language."""

import pytest
from django.utils import timezone
from django.utils.translation import override

from games.text.numbers import signed
from ratings.pages import sentences
from ratings.pages.sentences import plain
from ratings.rating.feed import FeedItem
from ratings.standard.field import compare_margin
from ratings.templatetags.standard import whole_change


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (1.26, 1, "+1.3"),
        (-3.04, 1, "−3.0"),
        (-0.04, 1, "0.0"),
        (12.6, 0, "+13"),
        (1520.4, 0, "+1520"),
        (None, 1, "–"),
    ],
)
def test_a_number_is_rounded_and_has_its_sign(
    value: float | None, digits: int, written: str
) -> None:
    assert signed(value, digits) == written


def test_a_number_uses_the_decimal_separator_of_its_language() -> None:
    with override("fr"):
        assert (signed(1.26), plain(-2.5), plain(1520.4)) == ("+1,3", "−2,5", "1520,4")


@pytest.mark.parametrize(
    ("margin", "others", "place", "said"),
    [
        (5, (), "1st of 1", "No one else has played these cards yet."),
        (5, (3,), "1st of 2", "You beat the one other player."),
        (5, (5,), "1st of 2", "You tied with the one other player."),
        (5, (7,), "2nd of 2", "The one other player beat you."),
        (
            -9,
            (1, 2, 3, 4, 5),
            "6th of 6",
            "6th of 6 with these cards: all 5 others beat you.",
        ),
        (9, (1, 2, 3), "1st of 4", "1st of 4 with these cards: you beat all 3 others."),
        (
            2,
            (1, 5, 3),
            "3rd of 4",
            "3rd of 4 with these cards: you beat 1 of 3 others.",
        ),
        (
            2,
            (1, 2, 3, 4, 1),
            "3rd of 6",
            "3rd of 6 with these cards: you beat 2 of 5 others and tied with 1.",
        ),
        (3, (3, 3, 3), "1st of 4", "You tied with all 3 others."),
        (
            1,
            (1, 2, 3, 4),
            "4th of 5",
            "4th of 5 with these cards: tied with 1 of 4 others, behind the other 3.",
        ),
        (
            1,
            (1, 2),
            "2nd of 3",
            "2nd of 3 with these cards: tied with 1 of 2 others, behind the other one.",
        ),
        (
            3,
            (3, 2),
            "1st of 3",
            "1st of 3 with these cards: you beat 1 of 2 others and tied with the other one.",
        ),
        (
            3,
            (3, 2, 3),
            "1st of 4",
            "1st of 4 with these cards: you beat 1 of 3 others and tied with the other 2.",
        ),
    ],
)
def test_place_and_others_beaten_describe_the_field(
    margin: float, others: tuple[float, ...], place: str, said: str
) -> None:
    verdict = compare_margin(margin, others)
    assert (sentences.place(verdict), sentences.headline(verdict)) == (place, said)
    assert verdict.place - 1 + verdict.level + verdict.beaten == verdict.others == len(others)


@pytest.mark.parametrize(
    ("margin", "english", "french"),
    [
        (1, "1 point ahead", "1 point d’avance"),
        (1.5, "1.5 points ahead", "1,5 point d’avance"),
        (-0.5, "0.5 points behind", "0,5 point de retard"),
        (-2.5, "2.5 points behind", "2,5 points de retard"),
    ],
)
def test_a_fraction_below_two_is_plural_in_english_and_singular_in_french(
    margin: float, english: str, french: str
) -> None:
    assert sentences.ahead(margin) == english
    with override("fr"):
        assert sentences.ahead(margin) == french


@pytest.mark.parametrize(
    ("number", "written"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (23, "23rd")]
)
def test_places_are_ordinal_numbers(number: int, written: str) -> None:
    verdict = compare_margin(0, [1] * (number - 1))
    assert sentences.place(verdict) == f"{written} of {number}"
    with override("de"):
        assert sentences.place(verdict) == f"{number}. von {number}"
    with override("fr"):
        assert sentences.place(verdict) == f"{number}{'er' if number == 1 else 'e'} sur {number}"


def test_a_place_in_spanish_has_its_point() -> None:
    with override("es"):
        assert sentences.place(compare_margin(9, (1, 2, 3))) == "1.º de 4"


@pytest.mark.parametrize(
    ("was", "now", "shown"), [(1500.0, 1508.5, "+8"), (1507.6, 1508.4, "0"), (1508.4, 1499.6, "−8")]
)
def test_a_change_is_the_difference_of_the_ratings_beside_it(
    was: float, now: float, shown: str
) -> None:
    change = FeedItem(at=timezone.now(), since=None, was=was, now=now, own=True)
    ends = plain(was, 0), plain(now, 0)
    assert whole_change(change) == shown
    assert int(ends[1]) - int(ends[0]) == int(shown.replace("−", "-"))
