"""The part of a page that the test client keeps: the context of its own template.

Django's test client copies the context of every template that is rendered, also of each option of
each list in a form. A table's form takes nearly 200 of them, and tests read the page's alone.
"""

from __future__ import annotations

import pytest
from django.template import Context, RequestContext, Template
from django.test.signals import template_rendered
from django.utils.safestring import SafeString


def keep_of_pages(patched: pytest.MonkeyPatch) -> None:
    """Let the test client know only of templates that are a page, not of those that it includes."""
    patched.setattr(Template, "_render", _render)


def _render(self: Template, context: Context) -> SafeString:
    if context.template is self and isinstance(context, RequestContext):
        template_rendered.send(sender=self, template=self, context=context)
    return self.nodelist.render(context)
