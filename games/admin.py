"""What the site's keepers see and may change: players, and matches to look at."""

from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.models import Match, Player, Seat


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin[Player]):
    """Players by kind; passwords and names are changed by their owners alone."""

    list_display = ("name", "kind", "public_id", "is_active", "is_staff", "date_joined")
    list_filter = ("kind", "is_active", "is_staff")
    search_fields = ("name", "public_id", "email")
    ordering = ("-date_joined",)
    fieldsets = (
        (None, {"fields": ("name", "kind", "public_id", "bot", "bot_version", "email")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = (
        "name", "kind", "public_id", "bot", "bot_version", "last_login", "date_joined",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up, guests come, computers are made by the site."""
        return False


class SeatInline(admin.TabularInline[Seat, Match]):
    """Who sits at a match."""

    model = Seat
    extra = 0
    can_delete = False
    readonly_fields = (
        "seat", "player", "computer", "stand_in", "score", "games_won", "match_points", "won",
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Seats are taken at the table."""
        return False


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin[Match]):
    """Matches without their cards: nobody sees a hidden card, a keeper no more than others."""

    list_display = ("public_id", "status", "ended_by", "created_at", "finished_at", "imported")
    list_filter = ("status", "ended_by", "imported")
    search_fields = ("public_id", "seats__player__name")
    date_hierarchy = "created_at"
    fields = (
        "public_id", "ruleset", "status", "ended_by", "winner", "created_by", "created_at",
        "started_at", "finished_at", "listed", "watchable", "imported", "rematch",
    )  # fmt: skip
    readonly_fields = fields
    inlines: ClassVar = [SeatInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """A match is made at the site, never by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The log is the truth: nothing of it is removed."""
        return False
