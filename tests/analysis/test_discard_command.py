"""manage.py discard: what it prints, and what it refuses."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command


def discard(*arguments: str) -> str:
    out = StringIO()
    call_command("discard", *arguments, stdout=out)
    return out.getvalue()


def test_the_best_throw_stands_first() -> None:
    lines = discard("5H", "5C", "5D", "JS", "2C", "9D", "--pone").splitlines()
    assert lines[0].split()[:3] == ["throw", "keep", "hand"]
    assert lines[1].startswith("2C9D ")
    assert len(lines) == 16


def test_as_json_every_throw_has_its_numbers() -> None:
    told = json.loads(
        discard("5H", "5C", "6S", "7D", "JD", "KH", "--dealer", "--scores", "100", "95", "--json")
    )
    assert told["role"] == "dealer"
    assert told["scores"] == [100, 95]
    assert len(told["throws"]) == 15
    for throw in told["throws"]:
        assert sum(throw["spread"].values()) == 46
        assert throw["total"] == pytest.approx(throw["hand"] + throw["crib"] + throw["pegging"])
        assert 0 < throw["chance"] < 1


def test_five_cards_are_parted_as_with_three_seats() -> None:
    assert len(discard("5H", "5C", "6S", "7D", "JD").splitlines()) == 6


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["5H", "5C", "6S", "7D", "JD", "XX"], "no such card: 'XX'"),
        (["5H", "5C", "6S", "7D", "JD", "5h"], "'5h' is given twice"),
        (["5H", "5C", "6S", "7D"], "4 are given"),
        (["5H", "5C", "6S", "7D", "JD", "KH", "--scores", "1", "2", "3"], "takes 2 numbers"),
        (["5H", "5C", "6S", "7D", "JD", "KH", "--scores", "121", "2"], "121 is no score"),
    ],
)
def test_wrong_input_is_named_in_one_line(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why) as refused:
        discard(*arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)
