"""Game records with arbitrary values: each is read, or refused with a RecordError."""

from copy import deepcopy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.record import RecordError, read_record
from tests.engine.test_records import GAMES, corrupt

values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 130) | st.text(max_size=5) | st.floats(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*path, key))
        if isinstance(item, dict | list):
            found += places(item, (*path, key))
    return found


SHORT = [GAMES[5], GAMES[12]]


PLACES = [(at, place) for at, game in enumerate(SHORT) for place in places(game)]


@settings(max_examples=200)
@given(st.sampled_from(PLACES), values)
def test_a_record_with_any_value_in_any_place_is_read_or_refused(
    where: tuple[int, tuple[Any, ...]], value: object
) -> None:
    at, path = where
    game = deepcopy(SHORT[at])
    corrupt(game, *path, value)
    try:
        read_record(game)
    except RecordError as error:
        assert len(str(error)) < 400  # noqa: PT017


@settings(max_examples=100)
@given(values)
def test_any_value_is_a_record_or_a_record_error(value: object) -> None:
    for record in (value, {"players": 2, "target": 61, "first_dealer": 1, "hands": value}):
        try:
            read_record(record)
        except RecordError:
            continue
