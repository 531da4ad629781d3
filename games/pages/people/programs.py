"""Pages of a person's programs: their own computer players, and the programs' tokens."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Player
from games.pages.site.visitor import player_of, sign_up_first
from games.pages.tables.forms import ProgramForm
from games.people.programs import create_program, new_token, revoke_token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: HttpRequest) -> HttpResponse:
    """Show a person's programs; a POST creates one and shows its token only once."""
    owner = player_of(request)
    if owner is None or not owner.is_person:
        if request.method == "POST":
            return sign_up_first(request)
        return render(request, "games/people/programs_guest.html")
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            program, token = create_program(owner=owner, name=form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error)
        else:
            return _page(request, owner, ProgramForm(), made=program, token=token)
    return _page(request, owner, form)


@never_cache
@require_POST
def token(request: HttpRequest, public_id: str) -> HttpResponse:
    """Replace a program's token, and show the new one only once."""
    program = _program_or_404(request, public_id)
    fresh = new_token(program=program)
    return _page(request, program.owner, ProgramForm(), made=program, token=fresh)


@require_POST
def revoke(request: HttpRequest, public_id: str) -> HttpResponse:
    """Revoke a program's token."""
    program = _program_or_404(request, public_id)
    revoke_token(program=program)
    messages.success(request, _("%(name)s can no longer connect.") % {"name": program.name})
    return redirect("games:programs")


def _program_or_404(request: HttpRequest, public_id: str) -> Player:
    """Return a program of the visitor's own; 404 for any other."""
    owner = player_of(request)
    program = (
        owner.programs.select_related("owner").filter(public_id=public_id).first()
        if owner
        else None
    )
    if program is None:
        raise Http404
    return program


def _page(
    request: HttpRequest,
    owner: Player | None,
    form: ProgramForm,
    *,
    made: Player | None = None,
    token: str = "",
) -> HttpResponse:
    own = owner.programs.select_related("token").order_by("pk") if owner else []
    scheme = "wss" if request.is_secure() else "ws"
    context = {
        "form": form,
        "programs": own,
        "made": made,
        "token": token,
        "address": f"{scheme}://{request.get_host()}/ws/bot/",
    }
    return render(
        request, "games/people/programs.html", context, status=422 if form.errors else 200
    )
