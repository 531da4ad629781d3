"""Admin pages for moderators: ratings with cheat signals, linked accounts, clubs, tournaments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.api import OfferedLookups, is_moderator, player_of, signed
from ratings.models import (
    Club,
    ClubLeague,
    ClubNight,
    ClubPost,
    Event,
    LeagueTeam,
    Leaving,
    LinkedAccount,
    Rating,
    TeamLeague,
)
from ratings.rating.cheat_signals import starter_z, starter_zs
from ratings.rating.identity_hints import identity_hints
from ratings.rating.pair_signals import pair_signals

SHOWN = 10
"""Number of opponents shown with a rating."""


def _list(lines: Sequence[str], note: str) -> SafeString:
    """Return lines and a note as HTML; a dash if there are no lines."""
    if not lines:
        return format_html("–")
    items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return format_html("<ul>{}</ul><p>{}</p>", items, note)


class RatingList(ChangeList):
    """A page of ratings, with the starter luck of all its players from two queries."""

    def get_results(self, request: HttpRequest) -> None:
        """Find the rows, and note each player's luck at theirs."""
        super().get_results(request)
        found = starter_zs({row.player_id for row in self.result_list})
        for row in self.result_list:
            vars(row)["starter_z"] = found[row.player_id]


@admin.register(Rating)
class RatingAdmin(OfferedLookups, admin.ModelAdmin[Rating]):
    """Ratings with each player's luck with starters; `/moderation/` removes a player's results."""

    list_display = (
        "player",
        "seats",
        "whole_rating",
        "short_rd",
        "results",
        "starter_luck",
        "updated_at",
        "case",
    )
    list_filter = ("seats", "provisional", "computer")
    search_fields = ("player__name", "player__public_id")
    list_select_related = ("player",)
    list_per_page = 25
    ordering = ("-floor",)
    fields = readonly_fields = (
        "player", "seats", "whole_rating", "short_rd", "results", "starter_luck", "opponents",
        "identities",
    )  # fmt: skip

    def get_list_display(self, request: HttpRequest) -> list[str | Callable[[Any], str | bool]]:
        """Leave out the links to cases for staff who may not open them."""
        shown = super().get_list_display(request)
        opens = is_moderator(player_of(request))
        return [column for column in shown if opens or column != "case"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that asks for all players at once."""
        return RatingList

    @admin.display(description=gettext_lazy("Rating"), ordering="rating")
    def whole_rating(self, row: Rating) -> str:
        """Return the rating as players see it, without decimals."""
        return f"{row.rating:.0f}"

    @admin.display(description="RD", ordering="rd")
    def short_rd(self, row: Rating) -> str:
        """Return the rating's uncertainty, with one decimal."""
        return f"{row.rd:.1f}"

    @admin.display(description=gettext_lazy("Case"))
    def case(self, row: Rating) -> SafeString:
        """Return a link to the moderators' page about the player, which has the actions."""
        url = reverse("games:case", args=[row.player.public_id])
        return format_html('<a href="{}">{}</a>', url, _("Case"))

    @admin.display(description=gettext_lazy("starter luck (z)"))
    def starter_luck(self, row: Rating) -> str:
        """Return the z-score of the player's luck with starters; above 4 suggests cheating."""
        known: float | None = vars(row).get("starter_z")  # in the list
        z = starter_z(player=row.player) if known is None else known
        return f"{z:.1f} !" if z > 4.0 else f"{z:.1f}"

    @admin.display(description=gettext_lazy("results against one opponent"))
    def opponents(self, row: Rating) -> str:
        """Return the opponents against whom the player's results are hard to explain."""
        lines = [
            _("%(name)s: %(n)d games, %(mean)s unexplained points each, z %(z)s%(mark)s")
            % {
                "name": _("all guests") if signal.other is None else signal.other.name,
                "n": signal.games,
                "mean": signed(signal.mean),
                "z": signed(signal.z),
                "mark": " !" if signal.alarming else "",
            }
            for signal in pair_signals(player=row.player)[:SHOWN]
        ]
        return _list(
            lines,
            _("A mark: fewer than 1 in 1,000 honest pairs look like this. It isn't proof."),
        )

    @admin.display(description=gettext_lazy("possibly the same person"))
    def identities(self, row: Rating) -> str:
        """Return what the player has in common with other identities."""
        lines = [
            _(
                "%(name)s: %(devices)d browsers, %(networks)d networks shared; %(handovers)d "
                "quick changes, %(overlaps)d times at once"
            )
            % {
                "name": hint.other.name,
                "devices": hint.devices,
                "networks": hint.networks,
                "handovers": hint.handovers,
                "overlaps": hint.overlaps,
            }
            for hint in identity_hints(player=row.player)
        ]
        return _list(
            lines,
            _("This isn't proof: families, schools and pubs share browsers and networks."),
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: ratings are computed from results."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Rating | None = None) -> bool:
        """Return False: ratings are never set by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Rating | None = None) -> bool:
        """Return False: the next refit would compute the row again."""
        return False


@admin.register(LinkedAccount)
class LinkedAccountAdmin(OfferedLookups, admin.ModelAdmin[LinkedAccount]):
    """Accounts assumed to belong to one person; `/moderation/` separates them, which is logged."""

    list_display = ("player", "group")
    search_fields = ("player__name", "group")
    list_select_related = ("player",)
    fields = readonly_fields = ("player", "group")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: accounts are linked when they are used in the same browser."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: LinkedAccount | None = None) -> bool:
        """Return False: moderators could separate their own, and no log would show it."""
        return False


@admin.register(Club)
class ClubAdmin(OfferedLookups, admin.ModelAdmin[Club]):
    """Clubs; name and description can be edited, and a club can be deleted."""

    list_display = ("name", "public_id", "description", "made_at")
    search_fields = ("name", "public_id", "description", "memberships__player__name")
    ordering = ("-made_at",)
    fields = ("name", "description", "public_id", "made_at")
    readonly_fields = ("public_id", "made_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: players create clubs."""
        return False


@admin.register(ClubNight)
class ClubNightAdmin(OfferedLookups, admin.ModelAdmin[ClubNight]):
    """Club nights; the title can be edited, results cannot."""

    list_display = ("title", "club", "state", "games", "starts_at", "made_by")
    list_filter = ("state",)
    search_fields = ("title", "club__name")
    list_select_related = ("club", "made_by")
    ordering = ("-starts_at",)
    fields = ("title", "club", "state", "games", "starts_at", "ends_at", "made_by")
    readonly_fields = ("club", "state", "games", "starts_at", "ends_at", "made_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: officers of a club plan its nights."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ClubNight | None = None) -> bool:
        """Return False: games may be in progress, so officers of the club end a night."""
        return False


@admin.register(ClubPost)
class ClubPostAdmin(OfferedLookups, admin.ModelAdmin[ClubPost]):
    """News of clubs, which moderators can delete after a report; the report keeps the text."""

    list_display = ("club", "author", "kind", "at", "text")
    search_fields = ("club__name", "author__name", "text")
    list_select_related = ("club", "author")
    ordering = ("-at",)
    fields = readonly_fields = ("club", "author", "kind", "at", "text")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: officers post news on the club's page."""
        return False


@admin.register(ClubLeague)
class ClubLeagueAdmin(OfferedLookups, admin.ModelAdmin[ClubLeague]):
    """Leagues of clubs; the title can be edited, results cannot."""

    list_display = ("title", "club", "nights", "best", "over_at", "made_by")
    search_fields = ("title", "club__name")
    list_select_related = ("club", "made_by")
    ordering = ("-made_at",)
    fields = ("title", "club", "nights", "best", "over_at", "made_by")
    readonly_fields = ("club", "nights", "best", "over_at", "made_by")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: officers of a club start its leagues."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ClubLeague | None = None) -> bool:
        """Return False: officers end a league, and its nights keep their results."""
        return False


@admin.register(Event)
class EventAdmin(OfferedLookups, admin.ModelAdmin[Event]):
    """Tournaments; title and note can be edited, results cannot."""

    list_display = ("title", "format", "state", "starts_at", "club", "made_by")
    list_filter = ("state", "format", "entry")
    search_fields = ("title", "public_id", "club__name", "made_by__name")
    list_select_related = ("club", "made_by")
    ordering = ("-starts_at",)
    fields = ("title", "note", "format", "state", "starts_at", "club", "made_by", "public_id")
    readonly_fields = ("format", "state", "starts_at", "club", "made_by", "public_id")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: players plan tournaments."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Return False: games may be in progress, so the organiser ends a tournament."""
        return False


@admin.register(TeamLeague)
class TeamLeagueAdmin(OfferedLookups, admin.ModelAdmin[TeamLeague]):
    """Team leagues; title and note can be edited, results cannot."""

    list_display = ("title", "state", "starts_at", "current", "rounds", "made_by")
    list_filter = ("state", "listed")
    search_fields = ("title", "public_id", "made_by__name", "teams__name")
    list_select_related = ("made_by",)
    ordering = ("-starts_at",)
    fields = ("title", "note", "state", "starts_at", "current", "rounds", "made_by", "public_id")
    readonly_fields = ("state", "starts_at", "current", "rounds", "made_by", "public_id")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: players plan leagues."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: TeamLeague | None = None) -> bool:
        """Return False: matches may be in progress, so the organiser ends a league."""
        return False


class LeagueTeamForm(forms.ModelForm[LeagueTeam]):
    """The name of a team."""

    def clean_name(self) -> str:
        """Refuse the name of another team of the league."""
        name: str = self.cleaned_data["name"]
        others = self.instance.league.teams.exclude(pk=self.instance.pk)
        if others.filter(name__iexact=name).exists():
            raise ValidationError(_("That team name is taken. Try another."))
        return name


@admin.register(LeagueTeam)
class LeagueTeamAdmin(OfferedLookups, admin.ModelAdmin[LeagueTeam]):
    """Teams of leagues; the name can be edited."""

    form = LeagueTeamForm
    list_display = ("name", "league", "withdrawn", "place")
    search_fields = ("name", "league__title", "players__player__name")
    list_select_related = ("league",)
    fields = ("name", "league", "withdrawn", "place")
    readonly_fields = ("league", "withdrawn", "place")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: players enter teams."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: LeagueTeam | None = None) -> bool:
        """Return False: the organiser withdraws a team, and its results stay."""
        return False


@admin.register(Leaving)
class LeavingAdmin(OfferedLookups, admin.ModelAdmin[Leaving]):
    """Ranked games that players left, read-only; a moderation entry forgives them."""

    list_display = ("player", "match", "at", "timed_out", "excused", "forgiven_at")
    list_filter = ("timed_out", "excused", ("forgiven_at", admin.EmptyFieldListFilter))
    search_fields = ("player__name", "player__public_id")
    list_select_related = ("player", "match")
    ordering = ("-at",)
    fields = readonly_fields = ("player", "match", "at", "timed_out", "excused", "forgiven_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: leavings are recorded when they happen."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Leaving | None = None) -> bool:
        """Return False: leavings are forgiven, never deleted."""
        return False
