"""A page's scripts and style sheets, asked for at once and not learned of one import at a time."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games import bundles, catalogue

register = template.Library()
register.simple_tag(catalogue.address, name="words_of_scripts")


@register.simple_tag
def page_script(entry: str) -> SafeString:
    """Load a page's module, and let the browser fetch all that it needs at the same time."""
    loaded = bundles.script_of(entry)
    preloads = format_html_join(
        "\n  ",
        '<link rel="modulepreload" href="{}">',
        ((static(name),) for name in loaded.needs),
    )
    script = format_html('<script type="module" src="{}"></script>', static(loaded.file))
    return format_html("{}\n  {}", script, preloads)


@register.simple_tag
def page_styles(entry: str) -> SafeString:
    """Load the style sheets that a page's list names."""
    sheets = ((static(name),) for name in bundles.styles_of(entry))
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', sheets)
