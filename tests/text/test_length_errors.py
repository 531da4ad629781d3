"""No form or model says of a text's length what Django says."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator
from django.db import models

MODULES = (
    "allauth.account.forms",
    "games.pages.archive.filter_form",
    "games.pages.moderation.forms",
    "games.pages.people.decisions",
    "games.pages.people.forms",
    "games.pages.tables.forms",
    "ratings.pages.events_forms",
    "ratings.pages.forms",
    "ratings.pages.team_leagues_forms",
)


def limited() -> Iterator[tuple[str, Any, str]]:
    """Yield fields with a text that is too long, or too short, for them."""
    for name in MODULES:
        for form in vars(importlib.import_module(name)).values():
            if isinstance(form, type) and issubclass(form, forms.BaseForm):
                for key, field in getattr(form, "base_fields", {}).items():
                    yield from cases(f"{name}.{form.__name__}.{key}", field)
    for app in ("games", "ratings"):
        for model in apps.get_app_config(app).get_models():
            for column in model._meta.get_fields():
                if isinstance(column, models.CharField):
                    yield from cases(f"{model.__name__}.{column.name}", column)


def cases(name: str, field: Any) -> Iterator[tuple[str, Any, str]]:
    for validator in field.validators:
        if isinstance(validator, MaxLengthValidator):
            yield name, validator, "x" * (int(validator.limit_value) + 1)
        if isinstance(validator, MinLengthValidator):
            yield name, validator, "x" * (int(validator.limit_value) - 1)


def test_every_field_names_the_limit_plainly() -> None:
    found = list(limited())
    names = {name for name, _, _ in found}
    assert {"ratings.pages.forms.ClubForm.name", "Player.name"} <= names
    for name, validator, given in found:
        with pytest.raises(ValidationError) as error:
            validator(given)
        (text,) = error.value.messages
        assert str(validator.limit_value) in text, name
        assert "Ensure this value" not in text, name


@pytest.mark.parametrize(
    ("given", "said"),
    [("x" * 41, "That's 41 characters. Use at most 40."), ("x", "Use at least 3 characters.")],
)
def test_a_form_says_how_long_the_text_may_be(given: str, said: str) -> None:
    from ratings.pages.forms import ClubForm

    assert ClubForm({"name": given}).errors["name"] == [said]
