"""Page for reporting a player to the moderators."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.models import Match, Player, Report
from games.pages.people.forms import ReportForm
from games.pages.site.visitor import log_in_first, player_of
from games.people import limits
from games.people.chat import read_by
from games.people.chat_phrases import chat_texts
from games.safety import moderation


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the form; a POST sends the report to the moderators only."""
    reporter = player_of(request)
    if reporter is None:
        return log_in_first(request)
    about = Player.objects.filter(public_id=public_id, is_active=True).first()
    if about is None and request.method == "POST":
        return _gone(request, reporter)
    if about is None or about == reporter:
        raise Http404
    match = _match(request, reporter, about)
    # Most reports from a table are about chat.
    initial = {} if match is None else {"reason": Report.Reason.ABUSE}
    form = ReportForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        limits.consume(limits.named("reports"), str(reporter.pk))
        try:
            moderation.report(reporter=reporter, about=about, match=match, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Thanks. The moderators will look into it."))
            return redirect("games:landing")
    lines = [] if match is None else read_by(match=match, reader=reporter)
    context = {"form": form, "about": about, "match": match, "lines": chat_texts(lines)}
    return render(request, "games/people/report.html", context, status=422 if form.errors else 200)


def _gone(request: HttpRequest, reporter: Player) -> HttpResponse:
    """Keep the text of a report about a player who has gone, such as a guest who has logged in.

    Their account has their seat in the match, so it is among those offered instead.
    """
    match = Match.objects.filter(public_id=request.POST.get("match", "")).first()
    others = Player.objects.none()
    if match is not None and match.seats.filter(computer=False, player=reporter).exists():
        sitting = match.seats.filter(computer=False).exclude(player=reporter)
        others = Player.objects.filter(pk__in=sitting.values("player"), is_active=True)
    context = {"form": ReportForm(request.POST), "match": match, "others": others}
    return render(request, "games/people/report_gone.html", context, status=410)


def _match(request: HttpRequest, reporter: Player, about: Player) -> Match | None:
    """Return the match named in the address or the form, if both players sit in it."""
    named = request.POST.get("match") or request.GET.get("match", "")
    match = Match.objects.filter(public_id=named).first() if named.isalnum() else None
    if match is None:
        return None
    seats = match.seats.filter(computer=False, player__in=[reporter, about])
    return match if seats.count() == 2 else None
