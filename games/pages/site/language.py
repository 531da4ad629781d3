"""Language choice, stored in a cookie and with the player, and translations for scripts."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language

from games.models import Player
from games.pages.site.visitor import player_of
from games.text import script_texts

KEPT_S = 365 * 24 * 3600
"""Seconds that browsers may cache translations whose address has the current version."""


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Change the language and redirect back to the page."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        known = ", ".join(code for code, _name in settings.LANGUAGES)
        text = _("That language isn't available. Choose: %(known)s.") % {"known": known}
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    player = player_of(request)
    if player is not None:
        Player.objects.filter(pk=player.pk).update(language=language)
    return set_language(request)


@require_safe
@gzip_page
def words(request: HttpRequest, language: str) -> HttpResponse:
    """Return the translations for scripts; cacheable if the requested version is current."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(script_texts.script(language), content_type="text/javascript")
    response["Content-Language"] = language
    if request.GET.get("v") == script_texts.version(language):
        patch_cache_control(response, public=True, max_age=KEPT_S, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response
