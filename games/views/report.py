"""Telling the moderators of a player."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import limits
from games.forms_account import ReportForm
from games.models import Player
from games.services import moderation
from games.views.visitor import player_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask what a player did; a POST tells the moderators, and nobody else."""
    reporter = player_of(request)
    if reporter is None:
        return redirect("account_login")
    about = Player.objects.filter(public_id=public_id, is_active=True).first()
    if about is None or about == reporter:
        raise Http404
    form = ReportForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        limits.take(limits.named("reports"), str(reporter.pk))
        try:
            moderation.report(reporter=reporter, about=about, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Thank you. The moderators will look at it."))
            return redirect("games:landing")
    context = {"form": form, "about": about}
    return render(request, "games/report.html", context, status=422 if form.errors else 200)
