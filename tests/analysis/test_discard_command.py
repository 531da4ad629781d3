"""`manage.py discard`: its output and the input it refuses."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from games.engine.cards import parse_cards


def discard(*arguments: str) -> str:
    out = StringIO()
    call_command("discard", *arguments, stdout=out)
    return out.getvalue()


def test_the_best_throw_is_listed_first() -> None:
    lines = discard("5H", "5C", "5D", "JS", "2C", "9D", "--pone").splitlines()
    assert lines[0].split()[:3] == ["throw", "keep", "hand"]
    assert lines[1].startswith("2C9D ")
    assert len(lines) == 16


def test_json_output_has_the_numbers_of_every_throw() -> None:
    report = json.loads(
        discard("5H", "5C", "6S", "7D", "JD", "KH", "--dealer", "--scores", "100", "95", "--json")
    )
    assert report["role"] == "dealer"
    assert report["scores"] == [100, 95]
    assert len(report["throws"]) == 15
    for throw in report["throws"]:
        assert sum(throw["spread"].values()) == 46
        assert throw["total"] == pytest.approx(throw["hand"] + throw["crib"] + throw["pegging"])
        assert 0 < throw["chance"] < 1


def test_five_cards_are_split_as_in_a_three_handed_game() -> None:
    """One card is thrown and four are kept, there are three scores, and the order is the same."""
    cards = ("5H", "5C", "6S", "7D", "JD")
    lines = discard(*cards).splitlines()
    assert {line.split()[0] for line in lines[1:]} == set(cards)
    assert len(lines) == 6
    report = json.loads(discard(*cards, "--scores", "100", "95", "90", "--json"))
    assert report["scores"] == [100, 95, 90]
    assert len(report["throws"]) == 5
    for throw in report["throws"]:
        assert sorted(parse_cards(throw["thrown"] + throw["kept"])) == sorted(
            parse_cards(" ".join(cards))
        )
        assert len(throw["kept"]) == 2 * 4
        assert sum(throw["spread"].values()) == 47
    chances = [throw["chance"] for throw in report["throws"]]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["5H", "5C", "6S", "7D", "JD", "XX"], "no such card: 'XX'"),
        (["5H", "5C", "6S", "7D", "JD", "5h"], "'5h' is given twice"),
        (["5H", "5C", "6S", "7D"], "not 4"),
        (["5H", "5C", "6S", "7D", "JD", "KH", "--scores", "1", "2", "3"], "takes 2 numbers"),
        (["5H", "5C", "6S", "7D", "JD", "KH", "--scores", "121", "2"], "121 is not a score"),
    ],
)
def test_invalid_input_is_reported_in_one_line(arguments: list[str], why: str) -> None:
    with pytest.raises(CommandError, match=why) as refused:
        discard(*arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)
