"""Django admin: players, matches (read-only), reports, moderation and jobs."""

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.models import DBTaskResult

from games import hooks
from games.archive.imports import remove_names
from games.jobs import queue
from games.models import JobCount, Match, ModerationEntry, Player, Report, Seat, Worker
from games.people.chat_phrases import line_text
from games.safety import cases
from games.safety.admin_lookups import OfferedLookups
from games.safety.moderation import (
    can_be_moderated,
    check_length,
    close_report,
    is_own,
    moderate,
)

admin.site.site_header = admin.site.site_title = "Cribbage"


@admin.register(Player)
class PlayerAdmin(OfferedLookups, admin.ModelAdmin[Player]):
    """Admin of players; names and passwords can be changed only by the players."""

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
        """Return the read-only fields: all for moderators, so that they cannot grant rights."""
        if request.user.is_superuser:
            return self.readonly_fields
        return (*self.readonly_fields, "email", "is_staff", "is_superuser", "groups")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Deny adding: players are created by sign-up and by the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny deletion: players delete their own accounts, and moderators ban, which is logged."""
        return False


class SeatInline(admin.TabularInline[Seat, Match]):
    """The seats of a match, read-only."""

    model = Seat
    extra = 0
    can_delete = False
    # Both: a field that the form offered could be changed, and one for a player lists them all.
    fields = readonly_fields = (
        *("seat", "player", "name", "computer", "stand_in", "left_at", "timed_out"),
        *("score", "games_won", "match_points", "won"),
    )  # fmt: skip

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny adding: seats are taken at the table."""
        return False


@admin.register(Match)
class MatchAdmin(OfferedLookups, admin.ModelAdmin[Match]):
    """Admin of matches, read-only and without cards: staff must not see hidden cards either."""

    list_display = ("public_id", "status", "ended_by", "created_at", "finished_at", "imported")
    list_filter = ("status", "ended_by", "imported")
    search_fields = ("public_id", "seats__player__name", "seats__name")
    date_hierarchy = "created_at"
    fields = (
        "public_id", "ruleset", "status", "ended_by", "winner", "created_by", "created_at",
        "started_at", "finished_at", "listed", "watchable", "imported", "rematch",
    )  # fmt: skip
    readonly_fields = fields
    inlines: ClassVar = [SeatInline]
    actions = ("remove_names",)

    @admin.action(description=_("Remove the entered names"), permissions=["change"])
    def remove_names(self, request: HttpRequest, rows: QuerySet[Match]) -> None:
        """Replace the names that were entered for players without an account."""
        remove_names(matches=rows)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Deny adding: matches are created at the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny deletion: logs are never removed."""
        return False


def _is_own(who: str, request: HttpRequest) -> Q:
    """Return the condition that a row is about one of the reader's own accounts or programs."""
    own = hooks.linked(request.user.pk or 0)
    return Q(**{f"{who}__in": own}) | Q(
        **{f"{who}__owner__in": own, f"{who}__owner__isnull": False}
    )


HIDDEN = "_texts_hidden"
"""Mark on a row whose texts its reader may not see for now (`games.safety.cases`)."""


@admin.register(Report)
class ReportAdmin(OfferedLookups, admin.ModelAdmin[Report]):
    """Admin of reports, open ones first; reports can only be closed."""

    list_display = ("__str__", "about", "reason", "at", "closed_at")
    list_filter = ("reason", ("closed_at", admin.EmptyFieldListFilter))
    search_fields = ("about__name", "about__public_id")
    list_select_related = ("about",)
    ordering = ("closed_at", "-at")
    fields = readonly_fields = (
        "about", "reporter", "match", "reason", "said", "written", "at", "closed_at",
    )  # fmt: skip
    actions = ("close",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Return the reports, but not those about the reader's own accounts and programs."""
        return super().get_queryset(request).exclude(_is_own("about", request))

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Report | None:
        """Return a report without its texts while they are hidden from the reader."""
        found = super().get_object(request, object_id, from_field)
        reader = Player.objects.get(username=request.user.get_username())
        if found is not None and cases.is_hidden(reader=reader, report=found):
            setattr(found, HIDDEN, True)
        return found

    @admin.display(description=_("text"))
    def said(self, report: Report) -> str:
        """Return the reporter's text."""
        return "" if hasattr(report, HIDDEN) else report.text

    @admin.display(description=_("Table chat"))
    def written(self, report: Report) -> str:
        """Return the attached chat lines, oldest first, as plain text."""
        if hasattr(report, HIDDEN):
            return ""
        lines = report.lines.select_related("author").order_by("pk")
        said = ((f"{line.at:%Y-%m-%d %H:%M}", line.author.name, line_text(line)) for line in lines)
        return format_html_join("", "<p>{} <b>{}</b>: {}</p>", said)

    @admin.action(description=_("Close these reports"), permissions=["change"])
    def close(self, request: HttpRequest, rows: QuerySet[Report]) -> None:
        """Close the selected reports."""
        for report in rows.filter(closed_at__isnull=True):
            close_report(report=report)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Deny adding: reports are made by players."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny deletion: reports are kept."""
        return False


class ModerationForm(forms.ModelForm[ModerationEntry]):
    """Form for an action on a player, with its reason.

    Attributes:
        moderator: who acts.
    """

    moderator: Player

    class Meta:
        """The fields of the form; moderator and time are set automatically."""

        model = ModerationEntry
        fields = ("player", "action", "days", "reason")

    def clean_player(self) -> Player:
        """Reject players who cannot be moderated, or not by this moderator."""
        player: Player | None = self.cleaned_data["player"]
        if player is None or not can_be_moderated(player):
            raise ValidationError(_("Choose a person, guest or program, not staff."))
        if is_own(moderator=self.moderator, player=player):
            raise ValidationError(_("This player can't be moderated."))
        return player

    def clean_days(self) -> int | None:
        """Reject 0 days, which would be logged as for good."""
        days: int | None = self.cleaned_data["days"]
        if days is not None:
            MinValueValidator(1)(days)
        return days

    def clean(self) -> dict[str, Any]:
        """Reject bans that need a second moderator: `/moderation/` has proposals."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("action") == ModerationEntry.Action.BAN:
            check_length(cleaned.get("days"))
        return cleaned


@admin.register(ModerationEntry)
class ModerationAdmin(OfferedLookups, admin.ModelAdmin[ModerationEntry]):
    """Admin of moderation: adding an entry takes the action; entries are never changed."""

    form = ModerationForm
    list_display = ("at", "action", "player", "moderator")
    list_filter = ("action",)
    search_fields = ("player__name", "player__public_id")
    list_select_related = ("player", "moderator")
    autocomplete_fields = ("player",)
    ordering = ("-at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModerationEntry]:
        """Return the actions, but not those on the reader's own accounts and programs."""
        return super().get_queryset(request).exclude(_is_own("player", request))

    def formfield_for_choice_field(
        self, db_field: Any, request: HttpRequest, **options: Any
    ) -> forms.TypedChoiceField | None:
        """Leave out the separation of linked accounts, which only `/moderation/` carries out."""
        options["choices"] = [
            ("", "---------"),
            *(each for each in db_field.choices if each[0] != ModerationEntry.Action.UNLINK),
        ]
        return super().formfield_for_choice_field(db_field, request, **options)

    def get_form(self, request: HttpRequest, *args: Any, **options: Any) -> type[ModerationForm]:
        """Return the form, which knows who acts."""
        form = cast("type[ModerationForm]", super().get_form(request, *args, **options))
        form.moderator = Player.objects.get(username=request.user.get_username())
        return form

    def get_fields(self, request: HttpRequest, obj: ModerationEntry | None = None) -> Any:
        """Return the fields: no reason while it is hidden from the reader."""
        names = ["player", "action", "days", "reason"]
        if obj is None or obj.player_id is None:
            return names
        reader = Player.objects.get(username=request.user.get_username())
        hidden = cases.hidden_texts(reader=reader, players={obj.player_id}).hide(obj)
        return names[:-1] if hidden else names

    def save_model(
        self, request: HttpRequest, obj: ModerationEntry, form: Any, change: bool
    ) -> None:
        """Take the action; the service stores the entry."""
        moderator = Player.objects.get(username=request.user.get_username())
        made = moderate(moderator=moderator, **form.cleaned_data)
        obj.pk, obj.moderator, obj.at = made.pk, made.moderator, made.at

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny changes: the moderation log is append-only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny deletion: the moderation log is append-only."""
        return False


admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class JobAdmin(DBTaskResultAdmin):
    """Admin of jobs: the library's list, with the next date and the last error, and a retry."""

    list_display = (
        "task_name", "args_kwargs", "status", "run_after", "started_at", "finished_at",
        "exception_class_path", "queue_name",
    )  # fmt: skip
    list_filter = ("status", "queue_name", "task_path")
    ordering: ClassVar = ["-run_after"]
    actions = ("retry",)

    @admin.action(description=_("Retry these failed jobs"), permissions=["view"])
    def retry(self, request: HttpRequest, rows: QuerySet[DBTaskResult[Any, Any]]) -> None:
        """Enqueue the selected jobs that have failed."""
        number = queue.retry(rows)
        self.message_user(request, _("Jobs queued again: %(number)d.") % {"number": number})


class ReadOnlyAdmin(OfferedLookups):
    """Admin of rows that only the site writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Deny adding."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny changes."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Deny deletion."""
        return False


@admin.register(Worker)
class WorkerAdmin(ReadOnlyAdmin):
    """Admin of workers."""

    list_display = ("name", "started_at", "seen_at")
    ordering = ("-seen_at",)


@admin.register(JobCount)
class JobCountAdmin(ReadOnlyAdmin):
    """Admin of the numbers of runs."""

    list_display = ("job", "done", "retried", "failed", "lost")
