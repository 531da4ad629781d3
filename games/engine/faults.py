"""Errors of the engine: a key with parameters for programs, and an English detail for developers.

Pages write their own sentences from key and parameters, in the reader's language
(`games.text.fault_sentences`). Seats in parameters count from 0, cards are names such as ``5H``.
"""

from __future__ import annotations

from collections.abc import Mapping
from reprlib import Repr

_SHORT = Repr()
_SHORT.maxlist = _SHORT.maxdict = 8
_SHORT.maxstring = 60

DETAILS: Mapping[str, str] = {
    # Text that cannot be read: cards, moves, rules.
    "no_card": "no such card: %(found)s (a rank of A23456789TJQK, then a suit of CDHS)",
    "no_move": "not a move: %(found)s: expected seat, kind and cards",
    "no_move.card": "not a move: %(found)s: no such card: %(card)s "
    "(a rank of A23456789TJQK, then a suit of CDHS)",
    "bad_rule": "%(field)s is %(found)s; allowed: %(allowed)s",
    "bad_rule.muggins": "muggins needs manual counting",
    "bad_rule.dealer": "first_dealer is %(found)s; seats are 0 to %(last)s",
    "bad_rule.unknown": "unknown rules: %(names)s; known: %(known)s",
    # A game record with a value of the wrong type.
    "not_object": "%(place)s must be an object, not %(found)s",
    "not_list": "%(place)s must be a list, not %(found)s",
    "not_list.short": "%(place)s must have at least %(number)s items, not %(found)s",
    "not_list.long": "%(place)s must have at most %(number)s items, not %(found)s",
    "not_number": "%(place)s must be a whole number, not %(found)s",
    "not_text": "%(place)s must be a text, not %(found)s",
    "not_card": "%(place)s: no such card: %(found)s (a rank of A23456789TJQK, then a suit of CDHS)",
    "not_json": "not JSON: %(found)s",
    "missing": "%(place)s is missing",
    # A game record that contradicts the rules or itself.
    "wrong_dealer": "dealer is seat %(seat)s; expected seat %(expected_seat)s",
    "wrong_log": "%(found)s does not belong in the log of a hand",
    "manual_counting": "only games with automatic counting can be entered card by card",
    "two_seats": "a person has two seats",
    "bad_name": "the name of seat %(seat)s, %(found)s: %(why)s",
    "bad_time": "%(place)s is %(found)s, not a time in the past",
    "differs": "%(place)s: %(expected)s expected, %(found)s found",
    "differs.missing": "%(place)s: %(expected)s expected, nothing found",
    "differs.surplus": "%(place)s: nothing expected, %(found)s found",
    "differs.unfinished": "%(place)s: the game is not finished, %(found)s found",
    # Moves that the rules do not allow.
    "match_over": "the match is over; no more moves can be made",
    "bad_seat": "no seat %(found)s; seats are 0 to %(last)s",
    "cannot_resign": "only a match of two players can be resigned",
    "wrong_phase.cut": "a cut for deal is not possible: the phase is %(phase)s",
    "wrong_phase.deal": "a deal is not possible: the phase is %(phase)s",
    "wrong_phase.discard": "a discard is not possible: the phase is %(phase)s",
    "wrong_phase.starter": "a starter is not possible: the phase is %(phase)s",
    "wrong_phase.play": "a card cannot be played: the phase is %(phase)s",
    "wrong_phase.claim": "nothing can be counted: the phase is %(phase)s",
    "wrong_phase.asked": "a %(action)s was asked for",
    "not_your_turn": "seat %(seat)s played; it is seat %(expected_seat)s's turn",
    "not_your_turn.claim": "seat %(seat)s counted; it is seat %(expected_seat)s's turn",
    "not_your_card": "%(cards)s is not held; the hand is %(held)s",
    "over_31": "%(cards)s on %(count)s would exceed 31; playable: %(allowed)s",
    "already_discarded": "this seat has discarded; a discard is final",
    "wrong_number": "%(cards)s discarded; expected %(number)s different cards",
    "bad_cut": "seats %(seats)s cut; expected seats %(expected)s",
    "bad_cut.range": "cards are numbers from 0 to 51, not %(found)s",
    "bad_cut.twice": "duplicate card: %(cards)s",
    "bad_deal": "hands of %(sizes)s cards; expected %(players)s hands of %(number)s",
    "bad_deal.crib": "a card is dealt to the crib with three players only",
    "bad_deal.range": "cards are numbers from 0 to 51, not %(found)s",
    "bad_deal.twice": "duplicate card: %(cards)s",
    "bad_deal.size": "seat %(seat)s has %(number)s cards; expected %(expected)s",
    "bad_starter": "%(cards)s cannot be cut: it has been dealt",
    "bad_starter.range": "cards are numbers from 0 to 51, not %(found)s",
    "bad_starter.twice": "duplicate card: %(cards)s",
    "claim_required": "with manual counting a card needs a claim of points",
    "claim_not_allowed": "the server counts; a claim is not allowed",
    "bad_claim": "%(found)s claimed; allowed are %(least)s to %(most)s",
    "bad_claim.muggins": "%(found)s called; allowed are %(least)s to %(most)s",
    "claim_open": "the previous claim has not been answered yet",
    "no_claim_open": "there is no open claim to call or pass",
    "not_asked": "seat %(seat)s answered seat %(other_seat)s's claim; asked: %(asked)s",
    "nothing_to_pass": "a claim in the play does not need a pass",
}
"""The English detail of each key, with its parameters."""


def quoted(value: object) -> str:
    """Return the ``repr`` of a value for an error, shortened to one line."""
    shown = _SHORT.repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "..."


class EngineError(Exception):
    """An error of the engine.

    Attributes:
        key: a key of `DETAILS`: the code, for some codes with a dot and a variant.
        params: what the sentence quotes; numbers, or short text.
    """

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.params = params

    @property
    def code(self) -> str:
        """A short name for programs, such as ``over_31``."""
        return self.key.partition(".")[0]

    @property
    def detail(self) -> str:
        """The fault and what would be allowed, in English."""
        return DETAILS[self.key] % self.params

    def __str__(self) -> str:
        """Return the detail."""
        return self.detail
