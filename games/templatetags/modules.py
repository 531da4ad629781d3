"""Tags for a page's scripts and style sheets, preloaded together instead of import by import."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.pages import bundles
from games.text import script_texts

register = template.Library()
register.simple_tag(script_texts.address, name="words_of_scripts")


@register.simple_tag
def page_script(entry: str) -> SafeString:
    """Render the tags that load a page's module and preload all modules that it imports."""
    return _script_tags(bundles.script_of(entry))


@lru_cache(maxsize=64)
def _script_tags(loaded: bundles.Loaded) -> SafeString:
    """Render what `page_script` does: always the same for the same files."""
    preloads = format_html_join(
        "\n  ",
        '<link rel="modulepreload" href="{}">',
        ((static(name),) for name in loaded.needs),
    )
    script = format_html('<script type="module" src="{}"></script>', static(loaded.file))
    return format_html("{}\n  {}", script, preloads)


@register.simple_tag
def page_styles(entry: str) -> SafeString:
    """Render the tags that load the style sheets of a page's entry."""
    return _style_tags(bundles.styles_of(entry))


@lru_cache(maxsize=64)
def _style_tags(names: tuple[str, ...]) -> SafeString:
    sheets = ((static(name),) for name in names)
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', sheets)
