"""The renderer of forms: it writes inputs and lists in Python, the rest by Django's templates.

Django renders an input by up to four nested templates, and a list by two for each option. That took
a third of the time of pages with the rules of a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.html import conditional_escape

Widget = Mapping[str, Any]
"""The context of a widget's template, as made by `django.forms.Widget.get_context`."""


class FormRenderer(DjangoTemplates):
    """Django's renderer, with the same HTML as its templates but for line breaks."""

    def render(
        self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None
    ) -> str:
        """Render a form, a field or a widget."""
        write = _WRITERS.get(template_name)
        if write is None:
            return super().render(template_name, context, request)
        return write(context["widget"])


def _input(widget: Widget) -> str:
    value = widget["value"]
    given = "" if value is None else f' value="{_text(value)}"'
    attributes = _attributes(widget["attrs"])
    return (
        f'<input type="{_text(widget["type"])}" name="{_text(widget["name"])}"{given}{attributes}>'
    )


def _choice(widget: Widget) -> str:
    """Write one of several radio buttons or checkboxes, in its label if that is asked for."""
    button = _input(widget)
    if not widget["wrap_label"]:
        return button
    ident = widget["attrs"].get("id")
    target = f' for="{_text(ident)}"' if ident else ""
    return f"<label{target}>{button}\n {_label(widget)}</label>"


def _select(widget: Widget) -> str:
    lines = [f'<select name="{_text(widget["name"])}"{_attributes(widget["attrs"])}>']
    for group, options, _index in widget["optgroups"]:
        if group:
            lines.append(f'<optgroup label="{_text(group)}">')
        lines += map(_option, options)
        if group:
            lines.append("</optgroup>")
    return "\n".join([*lines, "</select>"])


def _option(widget: Widget) -> str:
    attributes = _attributes(widget["attrs"])
    return f'<option value="{_text(widget["value"])}"{attributes}>{_label(widget)}</option>'


def _attributes(attrs: Mapping[str, Any]) -> str:
    """Write attributes; True stands for one without a value, False for none."""
    return "".join(
        f" {_text(name)}" if value is True else f' {_text(name)}="{_text(value)}"'
        for name, value in attrs.items()
        if value is not False
    )


def _label(widget: Widget) -> str:
    return conditional_escape(localize(widget["label"]))


def _text(value: Any) -> str:
    return conditional_escape(value if isinstance(value, str) else str(value))


_INPUTS = (
    *("checkbox", "color", "date", "datetime", "email", "file", "hidden", "input", "number"),
    *("password", "search", "tel", "text", "time", "url"),
)
_WRITERS: dict[str, Callable[[Widget], str]] = {
    f"django/forms/widgets/{name}.html": write
    for write, names in (
        (_input, _INPUTS),
        (_choice, ("input_option", "checkbox_option", "radio_option")),
        (_select, ("select",)),
    )
    for name in names
}
"""Django's templates that are not rendered -> what writes the same."""
