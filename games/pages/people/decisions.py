"""Page of what moderators decided about a player and their reports, with appeals.

Banned players cannot log in; they get here with a token that a log-in with their password gives.
"""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Player, Report
from games.models.moderation import REPORT_LENGTH
from games.pages.site.visitor import log_in_first, player_of
from games.people.accounts import read_closed_token
from games.safety import appeals
from games.safety.appeals import decisions_about, may_appeal

SHOWN = 30
"""Number of a player's newest reports that they are shown."""


class AppealForm(forms.Form):
    """Form for an appeal against one decision."""

    entry = forms.IntegerField(widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("Why should this decision change?"),
        max_length=REPORT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def decisions(request: HttpRequest) -> HttpResponse:
    """Show a player the decisions about them and their reports; a POST appeals."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    if player.moderator_news:
        Player.objects.filter(pk=player.pk).update(moderator_news=False)
        player.moderator_news = False
    return _page(request, player, closed=False)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def closed(request: HttpRequest, token: str) -> HttpResponse:
    """Show a banned player why and until when; a POST appeals.

    An old token leads to the log-in, which gives a new one, and an appeal typed meanwhile is kept.
    """
    player = read_closed_token(token)
    if player is None:
        unsent = {"text": request.POST.get("text", "")}
        return render(request, "games/people/closed_expired.html", unsent, status=404)
    return _page(request, player, closed=True)


def _page(request: HttpRequest, player: Player, *, closed: bool) -> HttpResponse:
    form = AppealForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            appeals.make_appeal(player=player, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Appeal sent. You'll find the reply here."))
            return redirect(request.path)
    reports = Report.objects.filter(reporter=player).select_related("about").order_by("-pk")
    entries = decisions_about(player=player)
    context = {
        "closed": closed,
        "player": player,
        "decisions": [(entry, may_appeal(entry)) for entry in entries],
        "reports": [] if closed else reports[:SHOWN],
        "form": form,
        "length": REPORT_LENGTH,
    }
    status = 422 if form.errors else 200
    return render(request, "games/people/decisions.html", context, status=status)
