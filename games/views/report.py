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
from games.chat import read_by
from games.chat_words import phrased
from games.forms_account import ReportForm
from games.models import Match, Player, Report
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
    match = _match(request, reporter, about)
    # Who comes from a table is most often about what was written there.
    initial = {} if match is None else {"reason": Report.Reason.ABUSE}
    form = ReportForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        limits.take(limits.named("reports"), str(reporter.pk))
        try:
            moderation.report(reporter=reporter, about=about, match=match, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Thank you. The moderators will look at it."))
            return redirect("games:landing")
    lines = [] if match is None else read_by(match=match, reader=reporter)
    context = {"form": form, "about": about, "match": match, "lines": phrased(lines)}
    return render(request, "games/report.html", context, status=422 if form.errors else 200)


def _match(request: HttpRequest, reporter: Player, about: Player) -> Match | None:
    """Return the match that the address or the form names, if both sit there."""
    named = request.POST.get("match") or request.GET.get("match", "")
    match = Match.objects.filter(public_id=named).first() if named.isalnum() else None
    if match is None:
        return None
    seats = match.seats.filter(computer=False, player__in=[reporter, about])
    return match if seats.count() == 2 else None
