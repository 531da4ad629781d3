"""The words of the scripts: Django's catalogue of one language, made once, as a script."""

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
    """Return the script that puts gettext and ngettext of ``language`` on the window."""
    with override(language):
        return bytes(JavaScriptCatalog(packages=["games"]).get(HttpRequest()).content)


@cache
def version(language: str) -> str:
    """Return twelve hexadecimal digits that change with the words of ``language``."""
    return sha256(script(language)).hexdigest()[:12]


def address() -> str:
    """Return where the words of the page's language are; the address changes with them."""
    active = get_language()
    language = active if active in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
    return f"{reverse('games:jsi18n', args=[language])}?v={version(language)}"
