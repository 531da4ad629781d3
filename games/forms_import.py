"""What people fill in to take in a game from elsewhere."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.forms import NameField
from games.services.imports import MAX_BYTES, ImportProblem, Numbered, read_file

SEATS = (0, 1, 2)


class SeatsForm(forms.Form):
    """Under which names a game is taken in, and where the importer sat."""

    me = forms.ChoiceField(
        label=_("I sat in"),
        choices=[
            ("", _("none of the seats")),
            *((str(n), format_lazy(_("seat {n}"), n=n + 1)) for n in SEATS),
        ],
        required=False,
    )
    name_0 = NameField(label=_("Name of seat 1"))
    name_1 = NameField(label=_("Name of seat 2"))
    name_2 = NameField(label=_("Name of seat 3"))

    records: list[Numbered]

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """The fields for the names, in the order of the seats."""
        return [self[f"name_{seat}"] for seat in SEATS]

    def seat(self) -> int | None:
        """Return the importer's own seat."""
        chosen = self.cleaned_data["me"]
        return int(chosen) if chosen else None

    def names(self) -> dict[int, str]:
        """Return the names given, by seat."""
        return {seat: self.cleaned_data[f"name_{seat}"] for seat in SEATS}


class UploadForm(SeatsForm):
    """A file of game records."""

    file = forms.FileField(
        label=_("Game record"),
        help_text=_("One JSON object, or one a line, as this site writes them; at most 512 KB."),
        widget=forms.FileInput(attrs={"accept": ".json,.jsonl,.ndjson,application/json"}),
    )

    def clean_file(self) -> UploadedFile:
        """Read the records.

        Raises:
            ValidationError: when it is no file of records; the line is named.
        """
        file: UploadedFile = self.cleaned_data["file"]
        if file.size is not None and file.size > MAX_BYTES:
            raise ValidationError(gettext("The file has more than %d KB.") % (MAX_BYTES // 1024))
        self.records = _read(file.read())
        return file


class EntryForm(SeatsForm):
    """A game that has been entered card by card."""

    players = forms.ChoiceField(
        label=_("Players"), choices=[("2", _("two")), ("3", _("three"))], required=False
    )
    target = forms.ChoiceField(
        label=_("Played to"), choices=[("121", "121"), ("61", "61")], required=False
    )
    first_dealer = forms.ChoiceField(
        label=_("Dealt first"),
        choices=[(str(n), format_lazy(_("seat {n}"), n=n + 1)) for n in SEATS],
        required=False,
    )
    record = forms.CharField(widget=forms.HiddenInput, max_length=MAX_BYTES, label=_("Game"))

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields for the rules; the record that the page writes repeats them."""
        return [self["players"], self["target"], self["first_dealer"]]

    def clean_record(self) -> str:
        """Read the record.

        Raises:
            ValidationError: when it is none.
        """
        text = str(self.cleaned_data["record"])
        self.records = _read(text.encode())
        return text


def _read(content: bytes) -> list[Numbered]:
    try:
        return read_file(content)
    except ImportProblem as problem:
        raise ValidationError(problem_words(problem)) from problem


def problem_words(problem: ImportProblem) -> str:
    """Return where the problem is and what it is, in one sentence."""
    where: list[Any] = []
    if problem.line is not None:
        where.append(gettext("line %d") % problem.line)
    if problem.hand is not None:
        where.append(gettext("hand %d") % problem.hand)
    if problem.event is not None:
        where.append(problem.event)
    said = f"{', '.join(where)}: {problem.reason}" if where else problem.reason
    if "seat" in problem.reason and problem.hand is not None:
        return gettext("%(problem)s (a record numbers its seats from 0)") % {"problem": said}
    return said
