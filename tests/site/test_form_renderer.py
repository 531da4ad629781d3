"""Forms are rendered like by Django's templates, without them."""

from __future__ import annotations

import re
from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates
from django.test import Client
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from cribbage_site.form_renderer import FormRenderer

RENDERERS = (FormRenderer(), DjangoTemplates())
MARKUP = """<b class="x">Tom & 'Ann'</b>"""
ATTRS: list[dict[str, Any]] = [
    {},
    {"id": "id_x", "required": True, "disabled": False, "maxlength": 1234, "data-x": None},
    {"id": MARKUP, "class": mark_safe("a&amp;b"), "placeholder": gettext_lazy("Name")},
]
INPUTS = [
    forms.TextInput, forms.NumberInput, forms.EmailInput, forms.URLInput, forms.ColorInput,
    forms.SearchInput, forms.TelInput, forms.PasswordInput, forms.HiddenInput, forms.FileInput,
    forms.DateInput, forms.DateTimeInput, forms.TimeInput, forms.CheckboxInput,
]  # fmt: skip
VALUES = [None, "", "plain", MARKUP, mark_safe(MARKUP), 0, 1234, 1.5, Decimal("1234.5"),
          True, date(2026, 11, 29), time(8, 30), gettext_lazy("Name")]  # fmt: skip
CHOICES: list[Any] = [
    ("", "---"),
    (1, 1234.5),
    (None, gettext_lazy("Name")),
    ("b", mark_safe("<i>b</i>")),
    (MARKUP, [("one", MARKUP), ("1234", "two")]),
]


def same(widget: forms.Widget, value: Any, attrs: dict[str, Any]) -> None:
    """Assert that both renderers render a widget alike, but for line breaks."""
    texts = [
        re.sub(r"\s+", " ", widget.render("the <name>", value, attrs=attrs, renderer=renderer))
        for renderer in RENDERERS
    ]
    assert _tight(texts[0]) == _tight(texts[1])


def _tight(text: str) -> str:
    """Drop spaces where they mean nothing: between the parts of a list."""
    return re.sub(r" ?(</?(?:select|option|optgroup)\b[^>]*>) ?", r"\1", text)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("attrs", ATTRS)
@pytest.mark.parametrize("kind", INPUTS)
def test_inputs_are_those_of_djangos_templates(
    kind: type[forms.Widget], attrs: dict[str, Any], language: str
) -> None:
    with translation.override(language):
        for value in VALUES:
            same(kind(), value, attrs)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("attrs", ATTRS)
@pytest.mark.parametrize("kind", [forms.Select, forms.SelectMultiple, forms.NullBooleanSelect])
def test_lists_are_those_of_djangos_templates(
    kind: type[forms.Select], attrs: dict[str, Any], language: str
) -> None:
    with translation.override(language):
        for value in (None, "b", "1234", MARKUP):
            widget = kind()
            if kind is not forms.NullBooleanSelect:
                widget.choices = CHOICES
            same(widget, [value] if kind is forms.SelectMultiple else value, attrs)


@pytest.mark.parametrize("wrap", [True, False])
@pytest.mark.parametrize("kind", [forms.RadioSelect, forms.CheckboxSelectMultiple])
def test_buttons_are_those_of_djangos_templates(kind: type[forms.RadioSelect], wrap: bool) -> None:
    class Form(forms.Form):
        field = forms.ChoiceField(choices=CHOICES, widget=kind(attrs={"class": "x"}), initial="b")

    ours, theirs = (
        [
            re.sub(r"\s+", " ", button.tag(wrap_label=wrap))
            for button in Form(renderer=renderer)["field"]
        ]
        for renderer in RENDERERS
    )
    assert ours == theirs


@pytest.mark.django_db
def test_no_widget_of_the_landing_page_takes_a_template(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_renderer: object, name: str, *_args: object, **_kwargs: object) -> str:
        pytest.fail(f"{name} is a template")

    monkeypatch.setattr(DjangoTemplates, "render", refuse)
    response = client.get("/")
    assert response.status_code == 200
    assert b'<select name="level"' in response.content
