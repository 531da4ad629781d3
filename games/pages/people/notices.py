"""Pages of the settings for turn notifications: by e-mail, by web push, or none."""

from __future__ import annotations

import hashlib
import json

import orjson
from django.contrib import messages
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import RawPostDataException
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.correspondence import notice_texts, notify, push
from games.correspondence import notices as service
from games.models import Player, PushSubscription
from games.pages.site.visitor import log_in_first, player_of
from games.wire.refusals import Refused

LONGEST = 4096
"""Maximum size in bytes of a browser's push subscription."""


@require_safe
@never_cache
def notices(request: HttpRequest) -> HttpResponse:
    """Show the player's notification settings."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    browsers = player.push_subscriptions.order_by("pk")
    context = {
        "address": notify.address_of(player),
        "mails": notify.mail_choice(player) is not None,
        "push_key": push.application_key() if push.available() else "",
        "known": json.dumps([_digest(row.endpoint) for row in browsers]),
        "browsers": len(browsers),
    }
    return render(request, "games/people/notices.html", context)


def _digest(endpoint: str) -> str:
    """Return the hash by which a browser recognises its own endpoint among those stored."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


@require_POST
def mails(request: HttpRequest) -> HttpResponse:
    """Turn e-mails on or off."""
    player = player_of(request)
    if player is None:
        return log_in_first(request, "games:notices")
    try:
        wanted = request.POST.get("wanted") == "1"
        service.choose_mails(player=player, wanted=wanted, language=_language())
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        text = (
            _("We'll email you when it's your turn.")
            if wanted
            else _("We won't email you when it's your turn.")
        )
        messages.success(request, text)
    return redirect("games:notices")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop a player's e-mails through the link in one of them, logged in or not.

    It takes a POST, from the button or from a mail program (RFC 8058): link scanners send GETs.
    """
    try:
        player = Player.objects.filter(public_id=notice_texts.public_id_of_token(token)).first()
    except BadSignature:
        player = None
    if player is None:
        raise Http404
    if request.method == "POST":
        service.choose_mails(player=player, wanted=False, language="")
    context = {"stopped": notify.mail_choice(player) is None}
    return render(request, "games/people/notices_stop.html", context)


@require_POST
@never_cache
def subscribe(request: HttpRequest) -> JsonResponse:
    """Store a browser's push subscription, given as the JSON of its push manager."""
    player = player_of(request)
    if player is None:
        return JsonResponse({"code": "not_seated", "message": _("Log in first.")}, status=403)
    try:
        row = service.subscribe(player=player, browser=_browser(request), language=_language())
    except Refused as refusal:
        return JsonResponse({"code": refusal.code, "message": refusal.message}, status=400)
    push.remember(request.session, row)
    return JsonResponse({"known": True})


@require_POST
@never_cache
def unsubscribe(request: HttpRequest) -> JsonResponse:
    """Delete a browser's push subscription."""
    player = player_of(request)
    if player is not None:
        endpoint = str(_browser(request).get("endpoint", ""))
        PushSubscription.objects.filter(player=player, endpoint=endpoint).delete()
    return JsonResponse({"known": False})


@require_POST
def forget_browsers(request: HttpRequest) -> HttpResponse:
    """Delete all push subscriptions of the player, for a lost browser or one without scripts."""
    player = player_of(request)
    if player is not None:
        player.push_subscriptions.all().delete()
        messages.success(request, _("Notifications are off in all your browsers."))
    return redirect("games:notices")


def _browser(request: HttpRequest) -> dict[str, object]:
    """Return the posted JSON object, or {} if the body is not one."""
    try:
        body = request.body
        # Unlike json, orjson refuses lone surrogates and deep nesting by a ValueError.
        data = orjson.loads(body) if len(body) <= LONGEST and rb"\u0000" not in body else None
    except (ValueError, RawPostDataException):  # a form has no body left to read
        return {}
    return data if isinstance(data, dict) else {}


def _language() -> str:
    return get_language() or ""
