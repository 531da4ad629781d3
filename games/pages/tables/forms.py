"""Forms for the rules of a new match and for names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games import bots
from games.archive.matches import last_level
from games.bots import get, levels
from games.bots.ladder import ANCHOR, RATINGS, Rating
from games.correspondence.turns import DAYS
from games.engine.state import MAX_GAMES
from games.models import Player
from games.people.accounts import checked_name

COUNTING = [
    ("auto", _("The table counts")),
    ("manual", _("You count your own")),
    ("muggins", _("You count, with muggins")),
]


@dataclass(frozen=True, slots=True)
class Level:
    """A computer player as shown in choices.

    Attributes:
        name: name in the registry.
        title: name and short description: "Poppy, a beginner".
        description: its style of play in plain words.
        two: its rating with two players, measured against the other computers.
        three: the same with three players.
    """

    name: str
    title: str
    description: str
    two: Rating
    three: Rating

    def choice(self, players: int | None = None) -> str:
        """Return the title with the rating for 2 or 3 players: "Poppy, a beginner, rating 1332".

        Without their number, which is chosen beside it, with both ratings.
        """
        values = {"title": self.title, "elo": self.two.elo, "three": self.three.elo}
        if players is None:
            return gettext("%(title)s, rating %(elo)s (three players: %(three)s)") % values
        elo = (self.three if players == 3 else self.two).elo
        return gettext("%(title)s, rating %(elo)s") % {"title": self.title, "elo": elo}


def level_lines() -> list[Level]:
    """Return the computer players, weakest first."""
    return [_level(player) for player in levels()]


def _level(player: bots.Player) -> Level:
    description = gettext(player.description)
    kind = description.partition(":")[0].strip()
    title = gettext("%(name)s, %(kind)s") % {
        "name": player.name.title(),
        "kind": kind[:1].lower() + kind[1:],
    }
    name = player.name
    return Level(name, title, description, two=RATINGS[2][name], three=RATINGS[3][name])


def anchor_line() -> Level:
    """Return the computer player whose rating is set; the others are measured against it."""
    return _level(get(ANCHOR))


def games_field() -> forms.TypedChoiceField:
    """Return the field for the number of games in a match."""
    return forms.TypedChoiceField(
        label=_("Games in the match"),
        choices=[(str(number), str(number)) for number in range(1, MAX_GAMES + 1)],
        coerce=int,
        empty_value=None,
        initial="1",
        required=False,
    )


def level_choices(players: int | None = None) -> list[tuple[str, str]]:
    """Return the computer players as choices at a table of so many players, weakest first."""
    return [(level.name, level.choice(players)) for level in level_lines()]


def day_choices() -> list[tuple[str, str]]:
    """Return the choices of time per decision at a table for friends."""
    days = [(str(n), ngettext("%(n)d day", "%(n)d days", n) % {"n": n}) for n in DAYS]
    return [("", gettext("No limit, play in one sitting")), *days]


def strongest_level() -> str:
    """Return the default level of substitutes for players who leave."""
    return levels()[-1].name


def easiest_level() -> str:
    """Return the opponent to begin with: the weakest, who also plays the lesson."""
    return levels()[0].name


def usual_level() -> str:
    """Return the default opponent: the club player."""
    return get("walter").name


def suggested_level(player: Player | None) -> str:
    """Return the opponent that forms suggest: the last one, or for newcomers the easiest.

    The lesson counts for neither: it teaches newcomers.
    """
    level = last_level(player=player) if player is not None else None
    if level is None:
        return easiest_level()
    return level if level in RATINGS[2] else usual_level()


class NameField(forms.CharField):
    """A name shown to others; empty for the current name or a random one."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        kwargs.setdefault("max_length", 40)
        kwargs.setdefault("label", _("Your name at the table"))
        super().__init__(**kwargs)
        self.widget.attrs.update({"autocomplete": "nickname", "maxlength": 20})

    def clean(self, value: Any) -> str:
        """Return the normalised name, or "" if empty."""
        text = super().clean(value)
        return checked_name(text) if text else ""


class LevelSelect(forms.Select):
    """A list of computer players, which the browser can turn into a slider, or shorten."""

    def __init__(self, attrs: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__({"data-levels": True, **(attrs or {})}, **kwargs)

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return an option; it says what the slider shows about its player."""
        option = super().create_option(name, value, *args, **kwargs)
        level = _level(get(value))
        option["attrs"] |= {
            "data-name": level.name.title(),
            "data-rating": gettext("rating %(rating)s") % {"rating": level.two.elo},
            "data-rating-three": gettext("rating %(rating)s") % {"rating": level.three.elo},
            "data-note": gettext("easiest") if value == easiest_level() else "",
            "data-about": level.description,
            "data-choice": level.choice(2),
            "data-choice-three": level.choice(3),
        }
        return option


class MatchForm(forms.Form):
    """The rules of a new match. Each field has a default, so one click is enough."""

    level = forms.ChoiceField(
        label=_("Computer player"),
        choices=level_choices,
        initial=easiest_level,
        required=False,
        widget=LevelSelect,
    )
    players = forms.TypedChoiceField(
        label=pgettext_lazy("number of players", "Players"),
        choices=[("2", _("Two players")), ("3", _("Three players"))],
        coerce=int,
        empty_value=None,
        initial="2",
        required=False,
        widget=forms.RadioSelect,
    )
    target = forms.TypedChoiceField(
        label=_("Play to"),
        choices=[("121", _("121 (full game)")), ("61", _("61 (short game)"))],
        coerce=int,
        empty_value=None,
        initial="121",
        required=False,
        widget=forms.RadioSelect,
    )
    counting = forms.ChoiceField(
        label=_("Counting"),
        choices=COUNTING,
        initial="auto",
        required=False,
        widget=forms.RadioSelect,
    )
    games = games_field()
    fill = forms.BooleanField(label=_("Computer takes the third seat"), required=False)
    stand_in = forms.ChoiceField(
        label=_("Computer that takes over if someone leaves"),
        choices=level_choices,
        initial=strongest_level,
        required=False,
    )
    hints = forms.BooleanField(label=_("Allow hints (always on against computers)"), required=False)
    watchable = forms.BooleanField(
        label=_("Let others watch (hidden cards stay hidden)"), required=False
    )
    days = forms.TypedChoiceField(
        label=_("Time per decision, with a friend"),
        choices=day_choices,
        coerce=int,
        empty_value=None,
        required=False,
    )
    sharing = forms.ChoiceField(
        label=_("With a friend: may others play these cards later?"),
        choices=Player.Sharing.choices,
        initial=Player.Sharing.GUEST,
        required=False,
        widget=forms.RadioSelect,
    )
    name = NameField()


class SeekForm(forms.Form):
    """The rules of a correspondence game that is posted in the lobby; two players."""

    days = forms.TypedChoiceField(
        label=_("Days per decision"), choices=lambda: day_choices()[1:], coerce=int, initial="3"
    )
    target = forms.TypedChoiceField(
        label=_("Play to"),
        choices=[("121", _("121 (full game)")), ("61", _("61 (short game)"))],
        coerce=int,
        empty_value=None,
        initial="121",
        required=False,
    )
    counting = forms.ChoiceField(
        label=_("Counting"), choices=COUNTING, initial="auto", required=False
    )
    games = games_field()
    hints = forms.BooleanField(label=_("Allow hints"), required=False)
    watchable = forms.BooleanField(
        label=_("Let others watch (hidden cards stay hidden)"), required=False
    )


def choice_fields(form: MatchForm) -> list[forms.BoundField]:
    """Return the fields that are shown as groups of buttons."""
    return [form["players"], form["target"], form["counting"]]


def initial_of(player: Player | None) -> dict[str, Any]:
    """Return the choices that a player's settings and games make for a new match."""
    level = suggested_level(player)
    return {"level": level} | ({"sharing": player.sharing} if player is not None else {})


class JoinForm(forms.Form):
    """The name of a guest who accepts an invitation."""

    name = NameField()


class NewNameForm(forms.Form):
    """A new name for a player."""

    name = NameField(required=True, label=_("Name"))

    def clean_name(self) -> str:
        """Reject an empty name."""
        name = str(self.cleaned_data["name"])
        if not name:
            raise ValidationError(_("Use 2 to 20 characters."), code="length")
        return name


class ProgramForm(NewNameForm):
    """The name of a person's program."""

    name = NameField(required=True, label=_("Program name"))
