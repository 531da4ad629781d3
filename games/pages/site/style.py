"""The page of all texts, for editors: dialogs, empty lists, errors, notices, mails, and everything.

It exists only with DEBUG. It is made from the sources and the catalogues, so it can miss no text.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath

from csp.decorators import csp_exempt
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, to_locale
from django.views.decorators.http import require_safe

from games.pages.site import style_samples
from games.text.sources.reading import all_texts
from games.text.sources.texts import Found, Kind

_TAG = re.compile(r"</?[a-z][^>]*>")
_PLACE = re.compile(r"%\((\w+)\)[sdr]|\{(\w+)\}|%[sd]|\{\}")


@dataclass(frozen=True, slots=True)
class Line:
    """A text in the reader's language; with its English if that is another."""

    said: SafeString
    english: SafeString | None
    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class Group:
    """Texts that belong together: a dialog, a table of errors, a file."""

    name: str
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Area:
    """A folder of the sources, with its files."""

    name: str
    number: int
    files: list[Group]


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show all texts, in the language of ?language= or of the reader."""
    with translation.override(_language(request)):
        texts = all_texts()
        context = {
            "languages": settings.LANGUAGES,
            "letters": style_samples.letters(request),
            "pushes": style_samples.pushes(),
            "dialogs": _dialogs(texts),
            "empties": _groups(one for one in texts if one.kind == "empty"),
            "errors": _groups(one for one in texts if one.kind == "error"),
            "notices": _groups(one for one in texts if one.kind == "notice"),
            "areas": _areas(texts),
        }
        return render(request, "games/site/style.html", context)


@require_safe
@csp_exempt()
def style_mail(request: HttpRequest) -> HttpResponse:
    """Show the HTML part of the mail ?name=, which has its styles inline."""
    name = request.GET.get("name", "")
    with translation.override(_language(request)):
        html = next((each.html for each in style_samples.letters(request) if each.name == name), "")
    if not html:
        raise Http404
    return HttpResponse(html)


def _language(request: HttpRequest) -> str:
    """Return the language to show. Raises Http404 on a public site."""
    if not settings.DEBUG:
        raise Http404
    chosen = request.GET.get("language", "")
    known = dict(settings.LANGUAGES)
    return chosen if chosen in known else (get_language() or settings.LANGUAGE_CODE)


def _dialogs(texts: Iterable[Found]) -> list[Group]:
    """Return the dialogs of each module, and then its other texts, which they may show too."""
    found = []
    for _file, each in groupby(texts, key=lambda one: one.file):
        inside = list(each)
        if any(one.table.startswith("dialog ") for one in inside):
            found += _groups(sorted(inside, key=lambda one: (not one.table, one.table)))
    return found


def _groups(texts: Iterable[Found]) -> list[Group]:
    """Return texts by file and table, each once in its group."""
    found = []
    for (file, table), each in groupby(texts, key=lambda one: (one.file, one.table)):
        name = file if not table or table.startswith("dialog ") else f"{file}: {table}"
        found.append(Group(name, [_line(one) for one in dict.fromkeys(each)]))
    return found


def _areas(texts: Iterable[Found]) -> list[Area]:
    areas = []
    for folder, inside in groupby(sorted(texts, key=_folder), key=_folder):
        by_file = groupby(inside, key=lambda one: PurePosixPath(one.file).name)
        files = [Group(name, [_line(one) for one in dict.fromkeys(each)]) for name, each in by_file]
        areas.append(Area(folder, sum(len(each.lines) for each in files), files))
    return areas


def _folder(found: Found) -> str:
    return str(PurePosixPath(found.file).parent)


def _line(found: Found) -> Line:
    language = get_language() or settings.LANGUAGE_CODE
    own = _shown(_said(found, language))
    english = _shown([found.text, found.plural])
    return Line(own, None if language == settings.LANGUAGE_CODE else english, found.kind, found.key)


def _said(found: Found, language: str) -> list[str]:
    """Return a text in a language, else in English; a plural has both forms."""
    domain = "djangojs" if found.file.startswith("static/") else "django"
    known = gettext.translation(
        domain, settings.LOCALE_PATHS[0], [to_locale(language)], fallback=True
    )
    if found.plural:
        return [
            known.npgettext(found.context, found.text, found.plural, number)
            if found.context
            else known.ngettext(found.text, found.plural, number)
            for number in (1, 2)
        ]
    return [
        known.pgettext(found.context, found.text) if found.context else known.gettext(found.text)
    ]


def _shown(forms: list[str]) -> SafeString:
    """Return the forms of a text as HTML: without its tags, its placeholders as variables."""
    words = " / ".join(dict.fromkeys(_TAG.sub("", form) for form in forms if form))
    return mark_safe(  # noqa: S308 -- it is escaped
        _PLACE.sub(lambda place: f"<var>{place[1] or place[2] or '…'}</var>", escape(words))
    )
