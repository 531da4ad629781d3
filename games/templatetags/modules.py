"""Preloads of a page's modules, which would else be learned of one import at a time."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import catalogue

register = template.Library()
register.simple_tag(catalogue.address, name="words_of_scripts")

IMPORT = re.compile(r'^(?:import|export)\b[^;]*?"(\.[^"]+)";', re.MULTILINE)


def imports_of(name: str) -> list[str]:
    """Return the modules that a module below static/ imports, by their paths there."""
    found = finders.find(name)
    if found is None:
        raise template.TemplateSyntaxError(f"{name!r} is not among the static files.")
    folder = posixpath.dirname(name)
    written = IMPORT.findall(Path(found).read_text())
    return [posixpath.normpath(posixpath.join(folder, path)) for path in written]


def graph_of(entry: str) -> tuple[str, ...]:
    """Return every module that ``entry`` needs, nearest first, without itself."""
    found: dict[str, None] = {entry: None}
    waiting = [entry]
    while waiting:
        fresh = [name for name in imports_of(waiting.pop(0)) if name not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return tuple(found)[1:]


_kept = lru_cache(maxsize=16)(graph_of)


@register.simple_tag
def preload_modules(entry: str) -> SafeString:
    """Let the browser fetch all that a module needs at once; in production the list is kept."""
    names = _kept(entry) if settings.PRODUCTION else graph_of(entry)
    links = ((static(name),) for name in names)
    return format_html(
        "{}", format_html_join("\n  ", '<link rel="modulepreload" href="{}">', links)
    )
