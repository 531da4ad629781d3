"""The language of the pages: chosen at the foot of each, kept in a cookie and with the player."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST
from django.views.i18n import set_language

from games import catalogue
from games.models import Player
from games.views.visitor import player_of

KEPT_S = 365 * 24 * 3600
"""Seconds for which a browser keeps the words that an address with their version gave."""


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Show the pages in another language from now on, and go back to the page that asked."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        known = ", ".join(code for code, _name in settings.LANGUAGES)
        text = _("This language is not known here. There are: %(known)s.") % {"known": known}
        return HttpResponseBadRequest(text, content_type="text/plain; charset=utf-8")
    player = player_of(request)
    if player is not None:
        Player.objects.filter(pk=player.pk).update(language=language)
    return set_language(request)


@require_GET
@gzip_page
def words(request: HttpRequest, language: str) -> HttpResponse:
    """Give the words of the scripts in one language; where the version fits, to be kept."""
    if language not in dict(settings.LANGUAGES):
        raise Http404
    response = HttpResponse(catalogue.script(language), content_type="text/javascript")
    response["Content-Language"] = language
    if request.GET.get("v") == catalogue.version(language):
        patch_cache_control(response, public=True, max_age=KEPT_S, immutable=True)
    else:
        patch_cache_control(response, no_cache=True)
    return response
