"""States, moves and events cannot be changed, since matches share them."""

from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest

from games.engine import events, moves, state

VALUES = [
    kind
    for module in (events, moves, state)
    for kind in vars(module).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_cannot_be_changed(kind: type) -> None:
    value: object = object.__new__(kind)
    for name in [field.name for field in fields(kind)] or ["anything"]:
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(value, name, None)


@pytest.mark.parametrize("module", [events, moves])
def test_an_event_or_a_move_takes_no_more_memory_than_its_fields(module: object) -> None:
    ours = [kind for kind in VALUES if kind.__module__ == getattr(module, "__name__", "")]
    assert len(ours) > 5
    assert not [kind for kind in ours if hasattr(object.__new__(kind), "__dict__")]
