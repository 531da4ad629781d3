"""Translations for browser scripts: Django's JavaScript catalogue of each language, cached."""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, override
from django.views.i18n import JavaScriptCatalog


@cache
def script(language: str) -> bytes:
    """Return the script that defines gettext and ngettext for ``language``."""
    with override(language):
        return bytes(JavaScriptCatalog(packages=["games"]).get(HttpRequest()).content)


@cache
def version(language: str) -> str:
    """Return a hash of the catalogue of ``language``, as twelve hexadecimal digits."""
    return sha256(script(language)).hexdigest()[:12]


def address() -> str:
    """Return the versioned address of the catalogue in the page's language."""
    active = get_language()
    language = active if active in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return f"{reverse('games:jsi18n', args=[language])}?v={version(language)}"
