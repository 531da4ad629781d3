"""What people fill in at the tools: cards to be counted, and cards of which some are thrown.

Both forms are read from the address, so that what they find can be shared.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.analysis.discards import Role
from games.engine.cards import NAMES, Card, CardError, parse_cards
from games.engine.scoring import MAX_HAND
from games.words import card_words

USUAL_LEAST = 10
"""Points of which the chance is told unless others are asked for."""
MAX_TEXT = 80
"""Characters that a list of cards may have."""

_SIGNS = str.maketrans("♣♦♥♠,;", "CDHS  ")


class CardsField(forms.CharField):
    """Different cards, in the order in which they are given: "5H 5C 10S", "5h5cts", "5♥ 5♣"."""

    def __init__(self, *, numbers: tuple[int, ...], wrong_number: Any, **kwargs: Any) -> None:
        """Take as many cards as one of ``numbers``; ``wrong_number`` says what is wanted."""
        self._numbers, self._wrong_number = numbers, wrong_number
        kwargs.setdefault("max_length", MAX_TEXT)
        super().__init__(**kwargs)
        self.widget.attrs.update(
            {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        )

    def clean(self, value: Any) -> tuple[Card, ...]:
        """Return the cards.

        Raises:
            ValidationError: a word that is no card, a card given twice, too many or too few.
        """
        cards: list[Card] = []
        for word in super().clean(value).translate(_SIGNS).split():
            cards += _read(word)
        for at, card in enumerate(cards):
            if card in cards[:at]:
                name = card_words(card)
                raise ValidationError(gettext("The %(card)s is there twice.") % {"card": name})
        if len(cards) not in self._numbers:
            given = ngettext("%(n)d card is given.", "%(n)d cards are given.", len(cards))
            raise ValidationError(f"{self._wrong_number} {given % {'n': len(cards)}}")
        return tuple(cards)


def _read(word: str) -> tuple[Card, ...]:
    try:
        return parse_cards(word)
    except CardError as cause:
        text = gettext(
            "“%(word)s” is no card. A card is its rank, A 2 3 4 5 6 7 8 9 T J Q or K, "
            "and its suit, C D H or S, as in 5H."
        )
        raise ValidationError(text % {"word": word[:20]}) from cause


def names_of(cards: tuple[Card, ...]) -> str:
    """Return the cards as they stand in an address: "5H 5C TS"."""
    return " ".join(NAMES[card] for card in cards)


class CounterForm(forms.Form):
    """Four cards and the starter, in the hand or in the crib."""

    cards = CardsField(
        label=_("Four cards, then the starter"),
        help_text=_("For example 5H 5C 5S JD 5D"),
        numbers=(5,),
        wrong_number=_("Four cards and the starter are counted."),
    )
    crib = forms.BooleanField(label=_("Count it as a crib"), required=False)

    def address(self) -> dict[str, str]:
        """Return what the address of this count says; the form is valid."""
        told = {"cards": names_of(self.cleaned_data["cards"])}
        return told | {"crib": "1"} if self.cleaned_data["crib"] else told


class _ScoreField(forms.IntegerField):
    """A score, or nothing."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.widget.attrs.update({"inputmode": "numeric", "min": "0"})


class DiscardForm(forms.Form):
    """Cards of which one or two go to the crib, whose it is, and how the game stands."""

    cards = CardsField(
        label=_("Six cards, or five when three play"),
        help_text=_("For example 4H 5H 6S JC 9D KS"),
        numbers=(5, 6),
        wrong_number=_("Six cards are parted, or five when three play."),
    )
    role = forms.ChoiceField(
        label=_("Whose crib is it?"),
        choices=[("dealer", _("Mine, I deal")), ("pone", _("The other's, I am pone"))],
        initial="dealer",
        required=False,
        widget=forms.RadioSelect,
    )
    own = _ScoreField(label=_("Your score"))
    other = _ScoreField(label=_("The next player's"))
    third = _ScoreField(label=_("The third player's"))
    target = forms.ChoiceField(
        label=_("Play to"),
        choices=[("121", "121"), ("61", "61")],
        initial="121",
        required=False,
        widget=forms.RadioSelect,
    )
    least = forms.IntegerField(
        label=_("The chance of a hand of at least"),
        initial=USUAL_LEAST,
        min_value=1,
        max_value=MAX_HAND,
        required=False,
    )

    @classmethod
    def asked(cls, told: dict[str, str]) -> DiscardForm:
        """Return the form of what an address says; what it leaves out is as usual."""
        return cls({"role": "dealer", "target": "121", "least": str(USUAL_LEAST)} | told)

    def clean_role(self) -> Role:
        """Take whoever says nothing for the dealer."""
        return "pone" if self.cleaned_data["role"] == "pone" else "dealer"

    def clean_target(self) -> int:
        """Take a game of which nothing is said for a full one."""
        return int(self.cleaned_data["target"] or 121)

    def clean_least(self) -> int:
        """Tell the usual chance unless another is asked for."""
        return int(self.cleaned_data["least"] or USUAL_LEAST)

    def clean(self) -> dict[str, Any]:
        """Refuse scores that no game has before its end, too many and too few, each at its field.

        Scores are judged by the number of cards: six are of two players, five of three.
        """
        told = super().clean() or self.cleaned_data
        target = told.get("target", 121)
        given = [name for name in ("own", "other", "third") if told.get(name) is not None]
        for name in given:
            if not 0 <= told[name] < target:
                text = gettext("Before the end of a game to %(target)d a score is 0 to %(most)d.")
                self.add_error(name, text % {"target": target, "most": target - 1})
        if "cards" in told and given:
            self._all_or_none(3 if len(told["cards"]) == 5 else 2)
        return told

    def _all_or_none(self, seats: int) -> None:
        """Refuse a score that is missing beside others, and one of a player who is not there."""
        for name in ("own", "other", "third")[:seats]:
            if self.cleaned_data.get(name) is None and name not in self.errors:
                self.add_error(name, gettext("Give every player's score, or none."))
        if seats == 2 and self.cleaned_data.get("third") is not None:
            self.add_error("third", gettext("Six cards are of two players. Leave this empty."))

    @property
    def seats(self) -> int:
        """How many play; the form is valid."""
        return 3 if len(self.cleaned_data["cards"]) == 5 else 2

    @property
    def scores(self) -> tuple[int, ...] | None:
        """One's own score, then the others' to the left, or None; the form is valid."""
        told = self.cleaned_data
        scores = (told["own"], told["other"], told["third"])[: self.seats]
        return None if None in scores else scores

    def address(self) -> dict[str, str]:
        """Return what the address of this question says; the form is valid."""
        told = self.cleaned_data
        address = {"cards": names_of(told["cards"]), "role": told["role"]}
        for name, score in zip(("own", "other", "third"), self.scores or (), strict=False):
            address[name] = str(score)
        if told["target"] != 121:
            address["target"] = str(told["target"])
        if told["least"] != USUAL_LEAST:
            address["least"] = str(told["least"])
        return address
