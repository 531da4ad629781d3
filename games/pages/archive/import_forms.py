"""Forms for importing games."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.archive.import_files import (
    MAX_BYTES,
    ImportProblem,
    NumberedRecord,
    problem_words,
    read_upload,
)
from games.pages.tables.forms import NameField

SEATS = (0, 1, 2)


class SeatsForm(forms.Form):
    """Names of the seats of an imported game, and the importer's own seat."""

    me = forms.ChoiceField(
        label=_("My seat"),
        choices=[
            ("", _("I didn't play")),
            *((str(n), format_lazy(_("seat {n}"), n=n + 1)) for n in SEATS),
        ],
        required=False,
    )
    name_0 = NameField(label=_("Name in seat 1"))
    name_1 = NameField(label=_("Name in seat 2"))
    name_2 = NameField(label=_("Name in seat 3"))

    records: list[NumberedRecord]

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """The name fields by seat."""
        return [self[f"name_{seat}"] for seat in SEATS]

    def seat(self) -> int | None:
        """Return the importer's own seat."""
        chosen = self.cleaned_data["me"]
        return int(chosen) if chosen else None

    def names(self) -> dict[int, str]:
        """Return the names by seat."""
        return {seat: self.cleaned_data[f"name_{seat}"] for seat in SEATS}


class UploadForm(SeatsForm):
    """A file of games, or their text."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        widget=forms.FileInput(
            attrs={"accept": ".json,.jsonl,.ndjson,.pgn,.txt,application/json,text/plain"}
        ),
    )

    # Without a maximum length, at which browsers would cut a pasted text off without a word.
    text = forms.CharField(
        label=_("Or paste the text here"),
        required=False,
        strip=False,  # errors count lines from the first
        widget=forms.Textarea(
            attrs={"rows": 5, "spellcheck": "false", "autocapitalize": "off", "autocomplete": "off"}
        ),
    )

    def clean_file(self) -> UploadedFile | None:
        """Parse the records.

        Raises:
            ValidationError: if the file is not valid; the message names the line.
        """
        file: UploadedFile | None = self.cleaned_data["file"]
        if file is None:
            return None
        if file.size is not None and file.size > MAX_BYTES:
            large = ImportProblem("too_large", number=MAX_BYTES // 1024)
            raise ValidationError(problem_words(large))
        self.records = _read(file.read())
        return file

    def clean_text(self) -> str:
        """Parse the records, unless there is a file.

        Raises:
            ValidationError: if the text is not valid; the message names the line.
        """
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
        if text.strip() and "file" not in self.files:
            self.records = _read(text.encode())
        return text

    def clean(self) -> None:
        """Check that there is one of the two.

        Raises:
            ValidationError: if there is none, or there are both.
        """
        pasted = bool(self.data.get("text", "").strip())
        if pasted and "file" in self.files:
            raise ValidationError(_("Choose a file or paste a game, not both."))
        if not pasted and "file" not in self.files:
            raise ValidationError(_("Choose a file, or paste a game."))


class EntryForm(SeatsForm):
    """A game that was entered card by card."""

    players = forms.ChoiceField(
        label=_("Players"), choices=[("2", _("two")), ("3", _("three"))], required=False
    )
    target = forms.ChoiceField(
        label=_("Played to"), choices=[("121", "121"), ("61", "61")], required=False
    )
    first_dealer = forms.ChoiceField(
        label=_("First dealer"),
        choices=[(str(n), format_lazy(_("seat {n}"), n=n + 1)) for n in SEATS],
        required=False,
    )
    record = forms.CharField(widget=forms.HiddenInput, max_length=MAX_BYTES, label=_("Game"))

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of the rules; the record that the script writes repeats them."""
        return [self["players"], self["target"], self["first_dealer"]]

    def clean_record(self) -> str:
        """Parse the record.

        Raises:
            ValidationError: if it is not valid.
        """
        text = str(self.cleaned_data["record"])
        self.records = _read(text.encode())
        return text


def _read(content: bytes) -> list[NumberedRecord]:
    try:
        return read_upload(content)
    except ImportProblem as problem:
        raise ValidationError(problem_words(problem)) from problem
