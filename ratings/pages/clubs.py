"""Pages of clubs: a player's clubs, a club, its invitation, and its forms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.api import Player, Refused, match_creator, player_of
from ratings.clubs import club_pages as selectors
from ratings.clubs import club_records, clubs, league_pages, news, nights
from ratings.events import event_lists
from ratings.models import Club, Membership
from ratings.pages.forms import (
    USUAL_LENGTH,
    ClubForm,
    ClubTableForm,
    LeagueForm,
    LinkForm,
    NewsForm,
    NightForm,
    usual_start,
)

MAX_QUERY = 60
"""Longest text of a search."""


@never_cache
@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """Show the player's clubs, and the form that creates one."""
    return _own(request, ClubForm())


def _own(request: HttpRequest, form: ClubForm, *, status: int = 200) -> HttpResponse:
    player = player_of(request)
    context = {
        "player": player,
        "clubs": selectors.clubs_of(player=player) if player else [],
        "form": form,
        "wanted": request.GET.get("q", "")[:MAX_QUERY],
        "found": selectors.search(text=request.GET.get("q", "")[:MAX_QUERY], player=player),
    }
    return render(request, "ratings/clubs/clubs.html", context, status=status)


@require_POST
def found(request: HttpRequest) -> HttpResponse:
    """Create a club and redirect to its page."""
    player = player_of(request)
    if player is None:
        return redirect("ratings:clubs")
    form = ClubForm(request.POST)
    if not form.is_valid():
        return _own(request, form, status=422)
    try:
        club = clubs.create(player=player, **form.cleaned_data)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:clubs")
    return redirect("ratings:club", club.public_id)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the club of an invitation link; a POST joins it.

    Members get to their club also by a link that no longer works.
    """
    player = player_of(request)
    if request.method == "POST" and player is not None:
        try:
            club = clubs.join(player=player, token=token)
        except Refused as refusal:
            messages.error(request, refusal.message)
            return redirect("ratings:clubs")
        return redirect("ratings:club", club.public_id)
    found = selectors.club_of_link(token=token)
    if found is not None and selectors.membership(public_id=found.public_id, player=player):
        return redirect("ratings:club", found.public_id)
    if found is None or not found.link_works:
        return render(request, "ratings/clubs/clubs_join_dead.html", status=404)
    context = {"club": found, "player": player}
    return render(request, "ratings/clubs/clubs_join.html", context)


@require_POST
def enter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Join a club that the search has found."""
    player = player_of(request)
    found = get_object_or_404(Club, public_id=public_id, listed=True)
    if player is None:
        return redirect("ratings:clubs")
    try:
        clubs.enter(club=found, player=player)
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:clubs")
    return redirect("ratings:club", public_id)


@never_cache
@require_safe
def club(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a club to its members; 404 for others."""
    return render_club(request, membership_or_404(request, public_id))


def render_club(
    request: HttpRequest,
    mine: Membership,
    *,
    about: ClubForm | None = None,
    night: NightForm | None = None,
    league: LeagueForm | None = None,
    post: NewsForm | None = None,
    link: LinkForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a club to a member, perhaps with a form that they have to correct."""
    this = mine.club
    coming, past = selectors.nights(club=this)
    context = {
        "club": this,
        "mine": mine,
        "standings": selectors.leaderboard(club=this),
        "tournaments": event_lists.of_club(club=this.pk),
        "members": selectors.members(club=this),
        "tables": selectors.open_tables(club=this),
        "coming": coming,
        "past": past,
        "table_form": ClubTableForm(),
        "about_form": about
        or ClubForm(
            initial={"name": this.name, "description": this.description, "listed": this.listed}
        ),
        "link_form": link or LinkForm(),
        "news": news.newest(club=this),
        "news_form": post or NewsForm(),
        "records": club_records.records(club=this),
        "night_form": night or NightForm(club=this, initial=_usual_night()),
        "leagues": league_pages.of_club(club=this),
        "league_form": league or LeagueForm(initial={"nights": 10, "best": 6}, auto_id="league_%s"),
        "link": request.build_absolute_uri(reverse("ratings:club_join", args=[this.token])),
    }
    return render(request, "ratings/clubs/clubs_page.html", context, status=status)


def _usual_night() -> dict[str, object]:
    starts = usual_start()
    return {"title": _("Club night"), "starts": starts, "ends": starts + USUAL_LENGTH}


@require_POST
def edit(request: HttpRequest, public_id: str) -> HttpResponse:
    """Change a club's name and description."""
    mine = membership_or_404(request, public_id)
    form = ClubForm(request.POST)
    if not form.is_valid():
        return render_club(request, mine, about=form, status=422)
    act = partial(clubs.edit, club=mine.club, by=mine.player, **form.cleaned_data)
    return done(request, mine.club, act, _("Saved."))


@require_POST
def open_table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Create a table for the club and redirect to it."""
    mine = membership_or_404(request, public_id)
    form = ClubTableForm(request.POST)
    if not form.is_valid():
        return render_club(request, mine, status=422)
    match_creator(request)
    match = clubs.open_table(club=mine.club, player=mine.player, ruleset=form.ruleset())
    return redirect("games:table", match.public_id)


@require_POST
def plan(request: HttpRequest, public_id: str) -> HttpResponse:
    """Plan a club night and redirect to its page, which has the link to send."""
    mine = membership_or_404(request, public_id)
    form = NightForm(request.POST, club=mine.club)
    if not form.is_valid():
        return render_club(request, mine, night=form, status=422)
    chosen = form.cleaned_data
    names = ("title", "seats", "games", "minutes", "starts_at", "ends_at", "league", "by_hand")
    try:
        night = nights.plan(
            club=mine.club, by=mine.player, **{name: chosen[name] for name in names}
        )
    except Refused as refusal:
        messages.error(request, refusal.message)
        return redirect("ratings:club", public_id)
    return redirect("ratings:night", night.token)


@require_POST
def renew_link(request: HttpRequest, public_id: str) -> HttpResponse:
    """Replace the invitation link by one that works as long as the form says, or by none."""
    mine = membership_or_404(request, public_id)
    form = LinkForm(request.POST)
    if not form.is_valid():
        return render_club(request, mine, link=form, status=422)
    days = form.cleaned_data["days"]
    act = partial(clubs.renew_link, club=mine.club, by=mine.player, days=days)
    text = (
        _("The invitation link is off.")
        if days == 0
        else _("Link replaced. The old one no longer works.")
    )
    return done(request, mine.club, act, text)


def _leave(mine: Membership) -> None:
    clubs.leave(club=mine.club, player=mine.player)


def _dissolve(mine: Membership) -> None:
    clubs.dissolve(club=mine.club, by=mine.player)


ACTIONS: dict[str, tuple[Callable[[Membership], None], Any]] = {
    "leave": (_leave, gettext_lazy("You've left the club.")),
    "dissolve": (_dissolve, gettext_lazy("Club deleted.")),
}


@require_POST
def act(request: HttpRequest, public_id: str, action: str) -> HttpResponse:
    """Leave the club, or dissolve it."""
    mine = membership_or_404(request, public_id)
    service, text = ACTIONS[action]
    return done(request, mine.club, partial(service, mine), text)


def _remove(mine: Membership, player: Player) -> None:
    clubs.remove(club=mine.club, by=mine.player, player=player)


def _promote(mine: Membership, player: Player) -> None:
    clubs.appoint(club=mine.club, by=mine.player, player=player, officer=True)


def _demote(mine: Membership, player: Player) -> None:
    clubs.appoint(club=mine.club, by=mine.player, player=player, officer=False)


def _hand_over(mine: Membership, player: Player) -> None:
    clubs.hand_over(club=mine.club, by=mine.player, player=player)


MEMBER_ACTIONS: dict[str, tuple[Callable[[Membership, Player], None], Any]] = {
    "remove": (
        _remove,
        gettext_lazy("%(name)s was removed, and the invitation link was replaced."),
    ),
    "promote": (_promote, gettext_lazy("%(name)s is now an officer.")),
    "demote": (_demote, gettext_lazy("%(name)s is no longer an officer.")),
    "hand-over": (_hand_over, gettext_lazy("The club now belongs to %(name)s.")),
}


@require_POST
def member(request: HttpRequest, public_id: str, player: str, action: str) -> HttpResponse:
    """Remove a member, change their role, or hand the club over to them."""
    mine = membership_or_404(request, public_id)
    other = get_object_or_404(Player, public_id=player)
    service, text = MEMBER_ACTIONS[action]
    return done(request, mine.club, partial(service, mine, other), text % {"name": other.name})


def membership_or_404(request: HttpRequest, public_id: str) -> Membership:
    """Return the reader's membership of a club; 404 if they have none."""
    row = selectors.membership(public_id=public_id, player=player_of(request))
    if row is None:
        raise Http404
    return row


def done(
    request: HttpRequest, this: Club, service: Callable[[], object], text: str
) -> HttpResponse:
    """Run a service, show a message, and redirect to the club, or to the list for non-members."""
    try:
        service()
    except Refused as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, text)
    return to_club(request, this)


def to_club(request: HttpRequest, this: Club) -> HttpResponse:
    """Redirect to a club, or to the list for non-members."""
    player = player_of(request)
    here = selectors.membership(public_id=this.public_id, player=player) is not None
    return redirect("ratings:club", this.public_id) if here else redirect("ratings:clubs")
