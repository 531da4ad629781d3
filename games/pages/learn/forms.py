"""Forms of the hand counter and the discard helper.

Both are read from the query string, so that results can be shared as links.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.analysis.discard_value import Role
from games.engine.cards import NAMES, Card, CardError, parse_cards
from games.engine.scoring import MAX_HAND
from games.text.count_phrases import card_words
from games.text.typed_cards import typed_words

USUAL_LEAST = 10
"""Default number of points for which the chance to make at least as many is shown."""
MAX_TEXT = 80
"""Maximum number of characters in a list of cards."""


class CardsField(forms.CharField):
    """A list of distinct cards in the given order: "5H 5C 10S", "5h5cts", "5♥ 5♣"."""

    def __init__(self, *, numbers: tuple[int, ...], wrong_number: Any, **kwargs: Any) -> None:
        """Set the allowed numbers of cards, and the error message for any other number."""
        self._numbers, self._wrong_number = numbers, wrong_number
        kwargs.setdefault("max_length", MAX_TEXT)
        super().__init__(**kwargs)
        self.widget.attrs.update(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        )

    def clean(self, value: Any) -> tuple[Card, ...]:
        """Return the cards.

        Raises:
            ValidationError: for a word that is not a card, a duplicate, or a wrong number of cards.
        """
        cards: list[Card] = []
        for word in typed_words(super().clean(value)):
            cards += _read(word)
        for at, card in enumerate(cards):
            if card in cards[:at]:
                name = card_words(card)
                raise ValidationError(
                    gettext("The %(card)s is there twice. Remove one.") % {"card": name}
                )
        if len(cards) not in self._numbers:
            given = ngettext("You have %(n)d card.", "You have %(n)d cards.", len(cards))
            raise ValidationError(f"{self._wrong_number} {given % {'n': len(cards)}}")
        return tuple(cards)


def _read(word: str) -> tuple[Card, ...]:
    try:
        return parse_cards(word)
    except CardError as cause:
        text = gettext(
            "“%(word)s” isn't a card. Write rank (A 2–9 T J Q K) and suit (C D H S), like 5H."
        )
        raise ValidationError(text % {"word": word[:20]}) from cause


def names_of(cards: tuple[Card, ...]) -> str:
    """Return the cards as text for a query string: "5H 5C TS"."""
    return " ".join(NAMES[card] for card in cards)


class _Checkbox(forms.CheckboxInput):
    """A checkbox that a link turns off by 0, too, as it turns it on by 1."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        """Return whether it is on."""
        return data.get(name) != "0" and bool(super().value_from_datadict(data, files, name))


class CounterForm(forms.Form):
    """Four cards and the starter, counted as a hand or as a crib."""

    cards = CardsField(
        label=_("Four cards, then the starter"),
        help_text=_("For example 5H 5C 5S JD 5D"),
        numbers=(5,),
        wrong_number=_("Choose four cards and the starter."),
    )
    crib = forms.BooleanField(label=_("Count it as a crib"), required=False, widget=_Checkbox)

    def address(self) -> dict[str, str]:
        """Return the query parameters of a valid form."""
        data = {"cards": names_of(self.cleaned_data["cards"])}
        return data | {"crib": "1"} if self.cleaned_data["crib"] else data


class _ScoreField(forms.IntegerField):
    """An optional score."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.widget.attrs.update({"inputmode": "numeric", "min": "0"})


def role_field() -> forms.ChoiceField:
    """Return the field that asks whose crib it is; dealer by default."""
    return forms.ChoiceField(
        label=_("Whose crib is it?"),
        choices=[("dealer", _("Mine: I deal")), ("pone", _("Theirs: they deal"))],
        initial="dealer",
        required=False,
        widget=forms.RadioSelect,
    )


class DiscardForm(forms.Form):
    """Cards to discard from, whose crib it is, and the scores."""

    cards = CardsField(
        label=_("Six cards, or five for three players"),
        help_text=_("For example 4H 5H 6S JC 9D KS"),
        numbers=(5, 6),
        wrong_number=_("Choose six cards, or five for a three-player game."),
    )
    role = role_field()
    own = _ScoreField(label=_("Your score"))
    other = _ScoreField(label=_("Next player's score"))
    third = _ScoreField(label=_("Third player's score"))
    target = forms.ChoiceField(
        label=_("Play to"),
        choices=[("121", "121"), ("61", "61")],
        initial="121",
        required=False,
        widget=forms.RadioSelect,
    )
    least = forms.IntegerField(
        label=_("Chance of a hand of at least"),
        initial=USUAL_LEAST,
        min_value=1,
        max_value=MAX_HAND,
        required=False,
    )

    @classmethod
    def asked(cls, data: dict[str, str]) -> DiscardForm:
        """Return a form bound to query parameters, with defaults for missing ones."""
        return cls({"role": "dealer", "target": "121", "least": str(USUAL_LEAST)} | data)

    def clean_role(self) -> Role:
        """Return the role, by default dealer."""
        return "pone" if self.cleaned_data["role"] == "pone" else "dealer"

    def clean_target(self) -> int:
        """Return the target, by default a full game."""
        return int(self.cleaned_data["target"] or 121)

    def clean_least(self) -> int:
        """Return the minimum number of points, by default `USUAL_LEAST`."""
        return int(self.cleaned_data["least"] or USUAL_LEAST)

    def clean(self) -> dict[str, Any]:
        """Reject impossible scores, and too many or too few scores, each at its field.

        The number of cards determines the number of players: six for two, five for three.
        """
        data = super().clean() or self.cleaned_data
        target = data.get("target", 121)
        given = [name for name in ("own", "other", "third") if data.get(name) is not None]
        for name in given:
            if not 0 <= data[name] < target:
                text = gettext("In a game to %(target)d, scores are 0 to %(most)d.")
                self.add_error(name, text % {"target": target, "most": target - 1})
        if "cards" in data and given:
            self._all_or_none(3 if len(data["cards"]) == 5 else 2)
        return data

    def _all_or_none(self, seats: int) -> None:
        """Reject a missing score if others are given, and a third score with two players."""
        for name in ("own", "other", "third")[:seats]:
            if self.cleaned_data.get(name) is None and name not in self.errors:
                self.add_error(name, gettext("Enter every player's score, or none."))
        if seats == 2 and self.cleaned_data.get("third") is not None:
            self.add_error("third", gettext("Leave this empty: six cards mean two players."))

    @property
    def seats(self) -> int:
        """The number of players of a valid form."""
        return 3 if len(self.cleaned_data["cards"]) == 5 else 2

    @property
    def scores(self) -> tuple[int, ...] | None:
        """The player's score, then those to the left, of a valid form; None without scores."""
        data = self.cleaned_data
        scores = (data["own"], data["other"], data["third"])[: self.seats]
        return None if None in scores else scores

    def address(self) -> dict[str, str]:
        """Return the query parameters of a valid form."""
        data = self.cleaned_data
        address = {"cards": names_of(data["cards"]), "role": data["role"]}
        for name, score in zip(("own", "other", "third"), self.scores or (), strict=False):
            address[name] = str(score)
        if data["target"] != 121:
            address["target"] = str(data["target"])
        if data["least"] != USUAL_LEAST:
            address["least"] = str(data["least"])
        return address
