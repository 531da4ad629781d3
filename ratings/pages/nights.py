"""Pages of club nights: the night, its live part, its standings as CSV, and its buttons."""

from __future__ import annotations

import csv
from collections.abc import Callable
from io import BytesIO, StringIO

import segno
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from games.api import Player, Refused, match_creator, player_of, show_errors, true_now
from ratings.clubs import club_pages as club_selectors
from ratings.clubs import night_standings as selectors
from ratings.clubs import nights
from ratings.clubs.night_recap import recap_of
from ratings.clubs.night_standings import Line, Sheet
from ratings.events.night_first import event_first
from ratings.models import ClubNight, Membership
from ratings.pages.clubs import to_club
from ratings.pages.device import note_device

CODE_KEPT_S = 3600
"""Seconds that browsers may cache the QR code of a night."""

MOST_DIGITS = 3
"""The most digits of a game's number that are read."""

FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r")
"""Prefixes that make spreadsheets read a cell as a formula; some take the wide ones, too."""


@never_cache
@require_safe
def night(request: HttpRequest, token: str) -> HttpResponse:
    """Show a night to anyone with its link: standings, tables, and the actions they may take."""
    found, player, mine = _load_night(request, token)
    context = _context(found, player, mine) | {
        "joins": player is None or player.is_guest,
        "link": request.build_absolute_uri(reverse("ratings:night", args=[token])),
    }
    return render(request, "ratings/clubs/clubs_night.html", context)


@require_safe
@cache_control(private=True, no_cache=True)
def live(request: HttpRequest, token: str) -> HttpResponseBase:
    """Return the part of the page that changes; 304 if nothing has."""
    found, player, mine = _load_night(request, token)
    return _live_part(request, "ratings/clubs/_night_live.html", found, player, mine)


@never_cache
@require_safe
def wall(request: HttpRequest, token: str) -> HttpResponse:
    """Show a night on a wall, in large type: what anyone may see, whoever is logged in there."""
    return render(request, "ratings/clubs/clubs_wall.html", _context(_night_or_404(token)))


@require_safe
@cache_control(private=True, no_cache=True)
def wall_live(request: HttpRequest, token: str) -> HttpResponseBase:
    """Return the part of the wall screen that changes; 304 if nothing has."""
    return _live_part(request, "ratings/clubs/_night_wall_live.html", _night_or_404(token))


@require_safe
@cache_control(private=True, max_age=CODE_KEPT_S)
def code(request: HttpRequest, token: str) -> HttpResponse:
    """Return the address of a night as a QR code, for the wall screen."""
    address = request.build_absolute_uri(
        reverse("ratings:night", args=[_night_or_404(token).token])
    )
    picture = BytesIO()
    segno.make_qr(address, error="m").save(
        picture, kind="svg", xmldecl=False, omitsize=True, dark="#1c1a1c", light="#fffdf7"
    )
    return HttpResponse(picture.getvalue(), content_type="image/svg+xml")


def _live_part(
    request: HttpRequest,
    template: str,
    found: ClubNight,
    player: Player | None = None,
    mine: Membership | None = None,
) -> HttpResponseBase:
    version = selectors.version_tag(night=found, viewer=player)
    first = event_first(found, player, now=true_now()) if player else None
    tag = quote_etag(f"{version}-{first and first.pk}-{_is_early(found):d}-{get_language()}")
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return unchanged
    response = render(request, template, _context(found, player, mine))
    response["ETag"] = tag
    return response


@never_cache
@require_safe
def standings_csv(request: HttpRequest, token: str) -> HttpResponse:
    """Return the standings as the reader may see them, as CSV."""
    found, player, _mine = _load_night(request, token)
    text = csv_text(found, selectors.sheet(night=found, viewer=player))
    response = HttpResponse(text.encode(), content_type="text/csv; charset=utf-8")
    day = found.starts_at.date().isoformat()
    response["Content-Disposition"] = f'attachment; filename="club-night-{day}.csv"'
    return response


def csv_text(found: ClubNight, sheet: Sheet) -> str:
    """Return the standings as CSV: a line per player, with columns for each game at the end."""
    numbers = range(1, found.games + 1)
    columns = ["place", "player", "game_points", "games_won", "games_lost", "skunks", "spread",
               "spread_plus", "spread_minus", "above_field"]  # fmt: skip
    for number in numbers:
        columns += [f"game_{number}_points", f"game_{number}_spread", f"game_{number}_opponent"]
    out = StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(_csv_row(line) for line in sheet.lines)
    return out.getvalue()


def _csv_row(line: Line) -> list[str | int | float]:
    total = line.total
    above = "" if line.above is None else round(line.above, 1)
    row: list[str | int | float] = [
        line.place, plain_cell(line.entrant.player.name), total.points, total.won, total.lost,
        total.skunks, total.spread, total.plus, total.minus, above,
    ]  # fmt: skip
    for result in line.results:
        if result is None:
            row += ["", "", ""]
        else:
            row += [result.score.points, result.score.spread, plain_cell(result.names)]
    return row


def plain_cell(text: str) -> str:
    """Return the text, changed if necessary so that no spreadsheet reads it as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


@require_POST
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Enter the night: with an account, as a guest, or as a visitor under the name given."""
    found = _night_or_404(token)
    back = redirect("ratings:night", token)
    try:
        player = match_creator(request, request.POST.get("name", "").strip() or None)
        back = note_device(request, player, back)
        nights.join(night=found, player=player)
    except ValidationError as error:
        show_errors(request, error)
    except Refused as refusal:
        if refusal.code == "night_gone":
            return _back(request, found)
        messages.error(request, refusal.message)
    return back


@require_POST
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Withdraw from the night."""
    return _act(request, token, lambda found, player: nights.leave(night=found, player=player))


@require_POST
def begin(request: HttpRequest, token: str) -> HttpResponse:
    """Draw the pairings and begin now."""
    return _act(request, token, lambda found, player: nights.begin(night=found, by=player))


@require_POST
def go_on(request: HttpRequest, token: str) -> HttpResponse:
    """Begin the game that the form names now."""
    game = request.POST.get("game", "")
    number = int(game) if game.isdecimal() and len(game) <= MOST_DIGITS else 0
    return _act(
        request,
        token,
        lambda found, player: nights.start_next_game(night=found, by=player, number=number),
    )


@require_POST
def end(request: HttpRequest, token: str) -> HttpResponse:
    """End the night after the running games, or call it off."""
    return _act(request, token, lambda found, player: nights.end(night=found, by=player))


@require_POST
def mark(request: HttpRequest, token: str, player: str, absent: bool) -> HttpResponse:
    """Mark a player as absent or present."""
    other = get_object_or_404(Player, public_id=player)
    return _act(
        request,
        token,
        lambda found, by: nights.mark(night=found, by=by, player=other, absent=absent),
    )


def _act(
    request: HttpRequest, token: str, service: Callable[[ClubNight, Player], None]
) -> HttpResponse:
    found, player = _night_or_404(token), player_of(request)
    if player is not None:
        try:
            service(found, player)
        except Refused as refusal:
            if refusal.code != "night_gone":
                messages.error(request, refusal.message)
    return _back(request, found)


def _back(request: HttpRequest, night: ClubNight) -> HttpResponse:
    """Return to the night, or to its club if it was cancelled, perhaps by another officer."""
    if selectors.night_of(token=night.token) is not None:
        return redirect("ratings:night", night.token)
    messages.success(request, _("Club night cancelled."))
    return to_club(request, night.club)


def _night_or_404(token: str) -> ClubNight:
    found = selectors.night_of(token=token)
    if found is None:
        raise Http404
    return found


def _is_early(night: ClubNight) -> bool:
    """Return whether the planned time of a night is still to come."""
    return night.is_planned and true_now() < night.starts_at


def _load_night(
    request: HttpRequest, token: str
) -> tuple[ClubNight, Player | None, Membership | None]:
    """Return a night, the reader, and their membership of the club."""
    found, player = _night_or_404(token), player_of(request)
    mine = club_selectors.membership(public_id=found.club.public_id, player=player)
    return found, player, mine


def _context(
    found: ClubNight, player: Player | None = None, mine: Membership | None = None
) -> dict[str, object]:
    sheet = selectors.sheet(night=found, viewer=player)
    now = true_now()
    return {
        "night": found,
        "early": _is_early(found),
        "mine": mine,
        "runs": mine is not None and mine.is_officer,
        "club": found.club,
        "player": player,
        "sheet": sheet,
        "tournament": event_first(found, player, now=now) if player and sheet.waits else None,
        "recap": recap_of(sheet.lines) if found.is_over else None,
        "countdown": selectors.seconds_left(night=found, now=now),
        "numbers": range(1, found.games + 1),
    }
