"""Ratings on the moderators' pages: linked accounts, and evidence of foul play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.api import Player, is_moderator, moderate, player_of, show_errors
from ratings.matchmaking import linked_accounts
from ratings.rating.agreement import examine
from ratings.rating.evidence import evidence_about
from ratings.rating.identity_hints import identity_hints
from ratings.standard import identities


def evidence(page: Mapping[str, Any]) -> SafeString:
    """Render a player's linked accounts and the signals of foul play for a case."""
    player = page["shown"]
    others = identities.with_linked([player]) - {player.pk}
    examine(player=player)
    context = {
        "shown": player,
        "linked": Player.objects.filter(pk__in=others).order_by("name"),
        "hints": identity_hints(player=player),
        "signals": evidence_about(player=player),
    }
    return render_to_string("ratings/rating/_evidence.html", context, page.get("request"))


@require_POST
def unlink(request: HttpRequest, public_id: str) -> HttpResponse:
    """Separate a player's account from those that it is linked to, for good."""
    moderator = player_of(request)
    if moderator is None or not is_moderator(moderator):
        raise Http404
    player = get_object_or_404(Player, public_id=public_id)
    reason = _("Different people use these accounts.")
    if not identities.with_linked([player]) - {player.pk}:
        return redirect("games:case", player.public_id)
    try:
        with transaction.atomic():
            # First, since it refuses a moderator's own accounts by their links.
            moderate(moderator=moderator, player=player, action="unlink", reason=reason)
            linked_accounts.unlink(player=player)
    except ValidationError as error:
        show_errors(request, error)
    else:
        messages.success(request, _("Unlinked. These accounts won't be linked again."))
    return redirect("games:case", player.public_id)
