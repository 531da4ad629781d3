"""View that branches off a finished match."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.archive import selectors
from games.archive.access import hands_shown
from games.pages.archive.branch_form import BranchForm
from games.pages.site.rate_limits import match_creator
from games.pages.site.visitor import player_of
from games.tables.branch import branch_match
from games.wire.refusals import Refused


@require_POST
def branch(request: HttpRequest, public_id: str) -> HttpResponse:
    """Create a branch from a step of a match and redirect to its table."""
    match = selectors.match_by_id(public_id=public_id)
    hands = 0 if match is None else hands_shown(match, player_of(request))
    if match is None or not hands:
        raise Http404
    form = BranchForm(request.POST)
    if not form.is_valid():
        for field, errors in form.errors.items():
            for why in errors:
                told = {"what": form.fields[field].label, "why": why}
                messages.error(request, _("%(what)s: %(why)s") % told)
        return redirect("games:match", public_id)
    try:
        made = branch_match(
            match=match, player=match_creator(request), hands=hands, **form.cleaned_data
        )
    except Refused as refusal:
        text = _("You can only play on from within a hand, not between hands.")
        messages.error(request, text if refusal.code == "not_offered" else refusal.message)
        return redirect("games:match", public_id)
    return redirect("games:table", made.public_id)
