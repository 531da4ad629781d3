"""Pages of the lobby, invitations and tables."""

from __future__ import annotations

from io import BytesIO

import segno
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.archive import access, selectors
from games.cluster import online_status
from games.correspondence import notify, planned_plays
from games.correspondence.turns import own_turns
from games.engine.state import Ruleset
from games.learn import coach
from games.learn.courses.exams import course_at
from games.models import Match, Player
from games.pages.site.visitor import player_of
from games.pages.tables.consent import sharing_text
from games.pages.tables.forms import (
    JoinForm,
    MatchForm,
    SeekForm,
    anchor_line,
    choice_fields,
    initial_of,
    level_lines,
)
from games.pages.tables.start import seeks_tag
from games.people import friends
from games.people.accounts import ensure_guest
from games.tables.attended import look_at
from games.tables.opening import leave_waiting_table
from games.tables.seeks import accepted_seeks, open_seeks
from games.tables.tables import join_match, stand_in_level
from games.wire.refusals import Refused


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open tables, which a socket keeps up to date, and posted games, which are polled."""
    player = player_of(request)
    form = MatchForm(initial=initial_of(player))
    seek = SeekForm(auto_id="seek_%s")
    if player is not None:
        online_status.mark_online([player.pk])
    posted, accepted = open_seeks(reader=player), accepted_seeks(owner=player)
    context = {
        "asked": _invitations(player),
        "own_turns": own_turns(player=player) if player is not None else [],
        "tables": selectors.lobby_tables(),
        "seeks": posted,
        "accepted": accepted,
        "seeks_tag": seeks_tag(posted, accepted),
        "seek_form": seek,
        "seek_fields": [seek["target"], seek["counting"], seek["games"]],
        "friends_here": _friends_here(player),
        "form": form,
        "levels": level_lines(),
        "anchor": anchor_line(),
        "choice_fields": choice_fields(form),
    }
    return render(request, "games/tables/lobby.html", context)


def _invitations(player: Player | None) -> list[friends.ReceivedInvitation]:
    if player is None or not player.is_person:
        return []
    return friends.table_invitations(players=[player.pk]).get(player.pk, [])


def _friends_here(player: Player | None) -> list[friends.Friend]:
    if player is None or not player.is_person:
        return []
    return [friend for friend in friends.friends_of(player=player) if friend.online]


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation: who sent it, and the rules; a POST takes the seat."""
    player = player_of(request)
    match = selectors.invitation(invite=token)
    if match is None:
        return _invitation_closed(request, None, status=404)
    if access.seat_of(match, player) is not None and match.status != Match.Status.ABANDONED:
        return redirect("games:table", match.public_id)
    if match.status != Match.Status.WAITING:
        return _invitation_closed(request, match, status=410)
    form = JoinForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            guest = ensure_guest(request, form.cleaned_data["name"] or None)
            join_match(player=guest, invite=token)
        except ValidationError as error:
            form.add_error("name", error)
        except Refused as refusal:
            if refusal.code not in {"own_seek", "you_blocked"}:
                return _invitation_closed(request, selectors.invitation(invite=token), status=410)
            messages.error(request, refusal.message)
            return redirect("games:lobby")
        else:
            return redirect("games:table", match.public_id)
    context = {
        "match": match,
        "ruleset": Ruleset.from_dict(match.ruleset),
        "stand_in": stand_in_level(match).title(),
        "seated": [seat for seat in match.seats.all() if seat.player is not None],
        "form": form,
        "afterwards": sharing_text(match, player),
    }
    return render(request, "games/tables/join.html", context, status=422 if form.errors else 200)


CODE_KEPT_S = 3600
"""Seconds that browsers may cache the QR code of an invitation."""


@require_safe
@cache_control(private=True, max_age=CODE_KEPT_S)
def join_code(request: HttpRequest, token: str) -> HttpResponse:
    """Return the address of an invitation as a QR code; 404 if it is no longer open."""
    match = selectors.invitation(invite=token)
    if match is None or match.status != Match.Status.WAITING:
        raise Http404
    address = request.build_absolute_uri(reverse("games:join", args=[token]))
    picture = BytesIO()
    segno.make_qr(address, error="m").save(
        picture, kind="svg", xmldecl=False, omitsize=True, dark="#1c1a1c", light="#fffdf7"
    )
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


@require_safe
@ensure_csrf_cookie
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the table; a socket keeps the page up to date.

    For a table that is waiting in the lobby, others are redirected to its invitation. A match that
    the reader may not see gives the same 404 as one that does not exist.
    """
    player = player_of(request)
    match = selectors.match_by_id(public_id=public_id)
    if match is None:
        raise Http404
    seat = access.seat_of(match, player)
    if seat is None and match.listed and match.status == Match.Status.WAITING:
        return redirect("games:join", match.invite)
    if not access.may_see(match, player):
        raise Http404
    waits = seat is not None and match.status == Match.Status.WAITING
    if waits and player is not None:
        look_at(match=match.pk, player=player.pk)
    ruleset = Ruleset.from_dict(match.ruleset)
    context = {
        "match": match,
        "seat": seat,
        # In a correspondence match, offer notifications to a player who has none.
        "plan": seat is not None and planned_plays.is_plannable(match),
        "tell": seat is not None and match.days is not None and not _is_notified(player),
        "waits": waits,
        "listed": selectors.seconds_in_lobby(match),
        # A guest who waits for others is asked for a name, which the invitation shows.
        "naming": waits and player is not None and player.is_guest,
        "ruleset": ruleset,
        "afterwards": sharing_text(match, player),
        "levels": [
            (each.name, each.choice(ruleset.players), each.description) for each in level_lines()
        ],
        "coach": coach.script(coach.LEVEL.title()) if match.lesson else None,
        "exam": None if seat is None or player is None else course_at(match=match, player=player),
    }
    return render(request, "games/tables/table.html", context)


@require_POST
def leave(request: HttpRequest, public_id: str) -> HttpResponse:
    """Leave a table that waits for players; its creator closes it."""
    player = player_of(request)
    match = selectors.match_by_id(public_id=public_id)
    if match is None or player is None or access.seat_of(match, player) is None:
        return redirect("games:lobby")  # perhaps the second of two clicks
    try:
        leave_waiting_table(match=match, player=player)
    except Refused:
        return redirect("games:table", public_id)  # the last player has just sat down
    own = match.created_by_id == player.pk
    messages.success(request, _("The table is closed.") if own else _("You left the table."))
    return redirect("games:lobby")


def _is_notified(player: Player | None) -> bool:
    return player is not None and bool(notify.channels_of(player))


def _invitation_closed(request: HttpRequest, match: Match | None, *, status: int) -> HttpResponse:
    """Show why an invitation is no longer valid, with alternatives."""
    watchable = match is not None and match.watchable and match.status == Match.Status.PLAYING
    context = {
        "match": match,
        "watchable": watchable,
        "tables": selectors.lobby_tables(limit=3),
    }
    return render(request, "games/tables/join_dead.html", context, status=status)
