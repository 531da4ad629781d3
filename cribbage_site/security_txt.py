"""`/.well-known/security.txt` (RFC 9116): where to report a vulnerability."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

ADDRESS = ".well-known/security.txt"

VALID = timedelta(days=180)
"""The period of validity; the standard recommends less than a year."""


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return the contact of SECURITY_CONTACT; without one there is no such page."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    fields = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": (timezone.now() + VALID).strftime("%Y-%m-%dT00:00:00Z"),
        "Canonical": f"{settings.SITE_URL}/{ADDRESS}",
        "Preferred-Languages": "en",
    }
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
