"""What the site's keepers see and may change: players, and matches to look at."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from games.chat_words import words_of
from games.models import Match, ModerationEntry, Player, Report, Seat
from games.services.moderation import close_report, moderate, moderated_here


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
        "name", "kind", "public_id", "bot", "bot_version", "is_active", "last_login",
        "date_joined",
    )  # fmt: skip

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return what cannot be changed: for a moderator all of it, he gives himself no rights."""
        if request.user.is_superuser:
            return self.readonly_fields
        return (*self.readonly_fields, "email", "is_staff", "is_superuser", "groups")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People sign up, guests come, computers are made by the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A player deletes his account himself; a moderator bans, which is written down."""
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


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin[Report]):
    """What players reported, the open ones first; closed here, answered by a moderation."""

    list_display = ("__str__", "about", "reason", "at", "closed_at")
    list_filter = ("reason", ("closed_at", admin.EmptyFieldListFilter))
    search_fields = ("about__name", "about__public_id")
    list_select_related = ("about",)
    ordering = ("closed_at", "-at")
    fields = readonly_fields = (
        "about", "reporter", "match", "reason", "text", "written", "at", "closed_at",
    )  # fmt: skip
    actions = ("close",)

    @admin.display(description=_("Written at the table"))
    def written(self, report: Report) -> str:
        """Show what was written at the table, oldest first, as plain text."""
        lines = report.lines.select_related("author").order_by("pk")
        said = ((f"{line.at:%Y-%m-%d %H:%M}", line.author.name, words_of(line)) for line in lines)
        return format_html_join("", "<p>{} <b>{}</b>: {}</p>", said)

    @admin.action(description=_("Close these reports"), permissions=["change"])
    def close(self, request: HttpRequest, rows: QuerySet[Report]) -> None:
        """Take reports from the list of open ones."""
        for report in rows.filter(closed_at__isnull=True):
            close_report(report=report)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Players report."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was reported stays."""
        return False


class ModerationForm(forms.ModelForm[ModerationEntry]):
    """Something to be done about a player, and why."""

    class Meta:
        """What a moderator says; who he is and when it was is noted."""

        model = ModerationEntry
        fields = ("player", "action", "days", "reason")

    def clean_player(self) -> Player:
        """Ask for a player whom one may do something about."""
        player: Player | None = self.cleaned_data["player"]
        if player is None or not moderated_here(player):
            raise ValidationError(_("Name a person, a guest or a program, and no keeper."))
        return player


@admin.register(ModerationEntry)
class ModerationAdmin(admin.ModelAdmin[ModerationEntry]):
    """What moderators did, to read; to add an entry is to do it. None is changed or removed."""

    form = ModerationForm
    list_display = ("at", "action", "player", "moderator", "reason")
    list_filter = ("action",)
    search_fields = ("player__name", "player__public_id", "reason")
    list_select_related = ("player", "moderator")
    autocomplete_fields = ("player",)
    ordering = ("-at",)

    def save_model(
        self, request: HttpRequest, obj: ModerationEntry, form: Any, change: bool
    ) -> None:
        """Do what the entry says; the service writes it down."""
        moderator = Player.objects.get(username=request.user.get_username())
        made = moderate(moderator=moderator, **form.cleaned_data)
        obj.pk, obj.moderator, obj.at = made.pk, made.moderator, made.at

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A log is not written anew."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A log has no gap."""
        return False
