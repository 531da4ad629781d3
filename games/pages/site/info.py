"""The pages of help, rules and privacy, and the form for the player's name."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.pages.site.visitor import log_in_first, player_of
from games.pages.tables.forms import NewNameForm
from games.people.accounts import rename


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Show the rules of the game."""
    return render(request, "games/site/rules.html")


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the questions that new players ask, with answers and links."""
    return render(request, "games/site/help.html")


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what the site keeps about its visitors, and for how long."""
    return render(request, "games/site/privacy.html")


@require_http_methods(["GET", "HEAD", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    """Show and change the player's name."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    form = NewNameForm(request.POST or None, initial={"name": player.name})
    if request.method == "POST" and form.is_valid():
        try:
            rename(player=player, name=form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error)
        else:
            messages.success(request, _("You now play as %(name)s.") % {"name": player.name})
            return redirect("games:name")
    return render(
        request, "games/people/name.html", {"form": form}, status=422 if form.errors else 200
    )
