"""Forms for clubs, club nights, leagues and club tables."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.api import Ruleset, clean_line
from ratings.clubs import league_pages, leagues
from ratings.models import Club, ClubLeague

MAX_GAMES = 30
"""Maximum number of games of a night for each player."""
EVER = "ever"
"""The choice of a link that does not expire; an empty one must not make such a link."""
LONGEST_NIGHT = timedelta(hours=24)
FARTHEST = timedelta(days=366)
"""The longest time ahead for which a night can be planned."""
JUST_NOW = timedelta(minutes=10)
"""A start up to this long ago counts as now."""


def check_printable(text: str) -> None:
    """Reject invisible characters, and those that change the direction of text."""
    if not text.isprintable():
        raise ValidationError(gettext("Letters, digits and punctuation on one line."))


class WholeNumber(forms.IntegerField):
    """A field for a whole number within bounds, which its error names."""

    def clean(self, value: Any) -> Any:
        """Return the number, or None for an optional field that is empty."""
        try:
            return super().clean(value)
        except ValidationError:
            bounds = {"least": self.min_value, "most": self.max_value}
            raise ValidationError(
                gettext("Choose a number from %(least)s to %(most)s.") % bounds
            ) from None


TITLE_MISSING = {"required": _("Give it a title.")}
DATE_MISSING = {
    "required": _("Choose a date and a time."), "invalid": _("Choose a date and a time."),
}  # fmt: skip
"""Error messages of the fields for titles and dates, instead of "This field is required."."""


def in_utc(given: datetime, zone: ZoneInfo | None) -> datetime:
    """Return a time of a form, which names its zone, as an aware datetime in UTC.

    At the ends of the calendar, where UTC would be outside it, the clock's time is returned.
    """
    # The field has parsed it in the site's own time zone.
    try:
        return given.replace(tzinfo=zone or UTC).astimezone(UTC)
    except OverflowError:
        return given.replace(tzinfo=UTC)


USUAL_START, USUAL_LENGTH = time(19, 30), timedelta(hours=3)
"""The suggested start, by the clock of whoever plans the night, and length."""


def usual_start() -> datetime:
    """Return tomorrow evening as a time without a zone: the form's zone is known only later."""
    return datetime.combine(timezone.localdate() + timedelta(days=1), USUAL_START)


def two_or_three() -> forms.TypedChoiceField:
    """Return the field for the number of players at a table."""
    return forms.TypedChoiceField(
        label=pgettext_lazy("number of players", "Players"),
        choices=[("2", _("Two players")), ("3", _("Three players"))],
        coerce=int,
        initial="2",
        required=False,
        empty_value=None,
        widget=forms.RadioSelect,
    )


class ClubForm(forms.Form):
    """A club's name and description."""

    name = forms.CharField(
        label=_("Club name"), min_length=3, max_length=40, validators=[check_printable]
    )
    description = forms.CharField(
        label=_("Short description"), max_length=300, required=False, validators=[check_printable]
    )
    listed = forms.BooleanField(label=_("Anyone can find and join it"), required=False)


class LinkForm(forms.Form):
    """The form that sets how long a club's new invitation link works; 0 days: no link."""

    days = forms.TypedChoiceField(
        label=_("How long the new link works"),
        choices=[
            ("1", _("1 day")),
            ("7", _("7 days")),
            ("30", _("30 days")),
            (EVER, _("Until it's replaced")),
            ("0", _("Turn the link off")),
        ],
        coerce=lambda chosen: None if chosen == EVER else int(chosen),
        initial="7",
    )


class NewsForm(forms.Form):
    """News for the members of a club."""

    text = forms.CharField(
        label=_("News for the members"), max_length=400, widget=forms.Textarea(attrs={"rows": 3}),
    )  # fmt: skip

    def clean_text(self) -> str:
        """Remove characters that are invisible or change the direction of text; lines stay."""
        given: str = self.cleaned_data["text"]
        text = "\n".join(map(clean_line, given.splitlines())).strip()
        if not text:
            raise ValidationError(self.fields["text"].error_messages["required"])
        return text


class NightForm(forms.Form):
    """A club night. Times are in the time zone that the form names."""

    title = forms.CharField(
        label=_("Title"), max_length=60, validators=[check_printable],
        error_messages=TITLE_MISSING,
    )  # fmt: skip
    seats = two_or_three()
    games = WholeNumber(
        label=_("Games for each player"), min_value=1, max_value=MAX_GAMES, initial=9
    )
    league = forms.ModelChoiceField(
        label=_("League"), queryset=ClubLeague.objects.none(), required=False,
        empty_label=_("No league"),
    )  # fmt: skip
    starts = forms.DateTimeField(
        label=_("Starts"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        error_messages=DATE_MISSING,
    )
    ends = forms.DateTimeField(
        label=_("Ends (no new game after this)"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        error_messages=DATE_MISSING,
    )
    by_hand = forms.BooleanField(
        label=_("I start it myself; otherwise it starts on time"), required=False
    )
    zone = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)
    minutes = WholeNumber(
        label=_("Minutes from one game to the next"),
        min_value=5,
        max_value=24 * 60,
        initial=20,
    )

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        """Offer the leagues of the club that still take a night."""
        super().__init__(*args, **kwargs)
        found = [league.pk for league in league_pages.open_leagues(club=club)]
        field = self.fields["league"]
        field.queryset = ClubLeague.objects.filter(pk__in=found)  # type: ignore[attr-defined]
        # A league that has just ended is refused, and not left out in silence.
        if not found and not self.data.get("league"):
            del self.fields["league"]

    def clean_zone(self) -> ZoneInfo:
        """Return the time zone; UTC if it is missing or unknown."""
        name = self.cleaned_data["zone"]
        return ZoneInfo(name if name in available_timezones() else "UTC")

    def clean(self) -> dict[str, Any]:
        """Check that the night ends after it begins, and that both are in range."""
        values: dict[str, Any] = super().clean() or {}
        starts, ends = self._moment("starts"), self._moment("ends")
        if starts is None or ends is None:
            return values
        now = timezone.now()
        if starts < now - JUST_NOW or starts > now + FARTHEST:
            self.add_error("starts", gettext("Choose a start within the next year."))
        elif not starts < ends <= starts + LONGEST_NIGHT:
            self.add_error("ends", gettext("Choose an end within 24 hours of the start."))
        seats = values.get("seats") or 2
        dates = {"starts_at": starts, "ends_at": ends}
        return {"league": None} | values | dates | {"seats": seats}

    def _moment(self, field: str) -> datetime | None:
        """Return a time of the form as an aware datetime in UTC."""
        given, zone = self.cleaned_data.get(field), self.cleaned_data.get("zone")
        return None if given is None else in_utc(given, zone)


class LeagueForm(forms.Form):
    """A league: its title, its number of nights, and how many of them count."""

    title = forms.CharField(
        label=_("Title"), max_length=60, validators=[check_printable],
        error_messages=TITLE_MISSING,
    )  # fmt: skip
    nights = WholeNumber(label=_("Nights"), min_value=1, max_value=leagues.MAX_NIGHTS)
    best = WholeNumber(
        label=_("How many best nights count"), min_value=1, max_value=leagues.MAX_NIGHTS
    )

    def clean(self) -> dict[str, Any]:
        """Check that no more nights count than there are."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("best", 1) > values.get("nights", leagues.MAX_NIGHTS):
            self.add_error(
                "best", gettext("The league doesn't have that many nights. Choose fewer.")
            )
        return values


class ClubTableForm(forms.Form):
    """The rules of a club's table."""

    players = two_or_three()
    counting = forms.ChoiceField(
        label=_("Counting"),
        choices=[("auto", _("The table counts")), ("manual", _("You count your own"))],
        initial="auto",
        required=False,
        widget=forms.RadioSelect,
    )

    def ruleset(self) -> Ruleset:
        """Return the chosen rules."""
        chosen = self.cleaned_data
        return Ruleset(
            players=chosen["players"] or 2,
            counting="manual" if chosen["counting"] == "manual" else "auto",
        )
