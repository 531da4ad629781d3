"""Pages of a player's data: downloads, API tokens and account deletion."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Player
from games.pages.people.forms import DeleteForm, TokenForm
from games.pages.site.visitor import log_in_first, player_of
from games.people import limits
from games.people.tokens import create_data_token, revoke_data_token
from games.safety.erasure import erase


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def data(request: HttpRequest) -> HttpResponse:
    """Show the stored data and the tokens; a POST creates a token, shown only once."""
    player = player_of(request)
    if player is None:
        return log_in_first(request)
    form = TokenForm(request.POST or None)
    context: dict[str, object] = {"player": player}
    if request.method == "POST" and form.is_valid():
        try:
            made, context["token"] = create_data_token(player=player, **form.cleaned_data)
            context["made"], form = made, TokenForm()
        except ValidationError as error:
            form.add_error("name", error)
    context |= {"form": form, "tokens": player.data_tokens.order_by("pk")}
    return render(request, "games/people/data.html", context, status=422 if form.errors else 200)


@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Revoke one of the player's tokens."""
    player = player_of(request)
    if player is not None and revoke_data_token(player=player, pk=pk):
        messages.success(request, _("Token revoked."))
    return redirect("games:data")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    """Explain account deletion; a POST with proof of identity deletes the account."""
    player = player_of(request)
    if player is None:  # perhaps since the first of two clicks
        done = _("You're logged out. If you've just deleted your account, that's done.")
        return log_in_first(request, lost=done)
    form = DeleteForm(player, request.POST or None)
    if request.method == "POST":
        limits.consume(limits.named("deletions"), str(player.pk))
    if request.method == "POST" and form.is_valid() and _erased(player, form):
        logout(request)
        messages.success(request, _("Your account is deleted. Thanks for the games."))
        return redirect("games:landing")
    context = {"form": form, "player": player}
    return render(request, "games/people/delete.html", context, status=422 if form.errors else 200)


def _erased(player: Player, form: DeleteForm) -> bool:
    try:
        erase(player=player)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True
