"""Rating numbers as displayed: rounded, signed, and in the page's language."""

import pytest
from django.utils.translation import override

from ratings.pages.sentences import plain, signed


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
