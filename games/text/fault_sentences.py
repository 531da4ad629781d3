"""Errors in a game record, a move or a file, as sentences in the reader's language.

The engine and the imports raise keys with parameters; every key has its sentence here. Seats in
parameters count from 0, on pages from 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine.record_check import RecordEvent
from games.text.record_places import place_words, value_words

SENTENCES: Mapping[str, Promise] = {
    # Files that cannot be imported.
    "too_large": gettext_lazy("That's more than %(number)s KB."),
    "not_utf8": gettext_lazy("The file isn't text in UTF-8. Save it as UTF-8 and try again."),
    "empty": gettext_lazy("No games found."),
    "too_many_games": gettext_lazy("That's more than %(most)s games. Import them in parts."),
    "bad_json": gettext_lazy("Not valid JSON, at character %(number)s."),
    "nested": gettext_lazy("This JSON is nested too deeply."),
    "long_number": gettext_lazy("A number in this JSON is too long."),
    "no_third_seat": gettext_lazy("That game has only two seats."),
    # Files in the notations of other programs.
    "unknown_notation": gettext_lazy("This isn't one of the notations that can be imported."),
    "bad_word": gettext_lazy("%(found)s doesn't fit here. Allowed: %(allowed)s."),
    "not_dealt": gettext_lazy("%(cards)s wasn't dealt in this hand."),
    "no_new_count": gettext_lazy(
        "There's a | before card %(number)s of the play, but the count goes on from %(count)s."
    ),
    "other_game": gettext_lazy(
        "%(found)s can't be imported. Allowed: cribbage with 2 or 3 players."
    ),
    "deal_cards": gettext_lazy(
        "Cards in this deal: %(number)s, not %(expected)s. Put unplayed ones in brackets at the "
        "end, like (5H 9c)."
    ),
    "marked_points": gettext_lazy(
        "%(found)s marks missed points or a penalty. Games with such marks can't be imported."
    ),
    "no_leader": gettext_lazy("The first deal needs a card of the play: it shows who led."),
    # Text that cannot be read: cards, moves, rules.
    "no_card": gettext_lazy("%(found)s isn't a card. Write cards like 5H."),
    "no_move": gettext_lazy("%(found)s isn't a move. Write moves like 0 play 5H."),
    "no_move.card": gettext_lazy("%(found)s: %(card)s isn't a card."),
    "bad_rule": gettext_lazy("%(field)s can't be %(found)s. Allowed: %(allowed)s."),
    "bad_rule.muggins": gettext_lazy("Muggins needs manual counting."),
    "bad_rule.dealer": gettext_lazy(
        "The first dealer can't be %(found)s. Seats are 1 to %(last)s."
    ),
    "bad_rule.unknown": gettext_lazy("Unknown rules: %(names)s. Known rules: %(known)s."),
    # A game record with a value of the wrong type.
    "not_object": gettext_lazy("%(place)s must be an object, not %(found)s."),
    "not_list": gettext_lazy("%(place)s must be a list, not %(found)s."),
    "not_list.short": gettext_lazy("%(place)s: %(found)s items, at least %(number)s needed."),
    "not_list.long": gettext_lazy("%(place)s: %(found)s items, at most %(number)s allowed."),
    "not_number": gettext_lazy("%(place)s must be a whole number, not %(found)s."),
    "not_text": gettext_lazy("%(place)s must be text, not %(found)s."),
    "not_card": gettext_lazy("%(place)s must be a card like 5H, not %(found)s."),
    "not_json": gettext_lazy("This isn't valid JSON."),
    "missing": gettext_lazy("%(place)s is missing."),
    # A game record that contradicts the rules or itself.
    "wrong_dealer": gettext_lazy("Seat %(seat)s can't deal. It's seat %(expected_seat)s's turn."),
    "wrong_log": gettext_lazy("%(found)s doesn't belong in a hand's log."),
    "manual_counting": gettext_lazy(
        "With manual counting, cards can't be entered one by one. Import a file."
    ),
    "two_seats": gettext_lazy("The same player has two seats."),
    "bad_name": gettext_lazy("Seat %(seat)s can't be called %(found)s. %(why)s"),
    "bad_time": gettext_lazy("%(place)s must be a time in the past, not %(found)s."),
    "differs": gettext_lazy("%(place)s is %(found)s; the cards make it %(expected)s."),
    "differs.missing": gettext_lazy("%(place)s is missing. The cards make it %(expected)s."),
    "differs.surplus": gettext_lazy(
        "%(place)s is %(found)s, but no cards lead to it. Add the missing cards or remove it."
    ),
    "differs.unfinished": gettext_lazy(
        "The record names a winner, but the game isn't finished. Add the missing cards."
    ),
    # Moves that the rules do not allow.
    "match_over": gettext_lazy("The game is already over."),
    "bad_seat": gettext_lazy("There's no %(found)s. Seats are 1 to %(last)s."),
    "cannot_resign": gettext_lazy("Only two-player games can be resigned."),
    "wrong_phase.cut": gettext_lazy("A cut doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.deal": gettext_lazy("A deal doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.discard": gettext_lazy("A discard doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.starter": gettext_lazy("A starter doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.play": gettext_lazy("A played card doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.claim": gettext_lazy("A count doesn't fit here. Expected: %(phase)s."),
    "wrong_phase.asked": gettext_lazy("That doesn't fit here. Expected: %(action)s."),
    "not_your_turn": gettext_lazy("Seat %(seat)s can't play. It's seat %(expected_seat)s's turn."),
    "not_your_turn.claim": gettext_lazy(
        "Seat %(seat)s can't count. It's seat %(expected_seat)s's turn."
    ),
    "not_your_card": gettext_lazy("%(cards)s isn't in the hand: %(held)s."),
    "over_31": gettext_lazy("%(cards)s on %(count)s would pass 31. Playable: %(allowed)s."),
    "already_discarded": gettext_lazy("This seat has already discarded."),
    "wrong_number": gettext_lazy("Wrong discard: %(cards)s. Needed: %(number)s different cards."),
    "bad_cut": gettext_lazy("The wrong seats cut: %(seats)s instead of %(expected)s."),
    "bad_cut.range": gettext_lazy("Not all of these are cards: %(found)s."),
    "bad_cut.twice": gettext_lazy("The same card is there twice: %(cards)s."),
    "bad_deal": gettext_lazy("Hands of %(sizes)s cards. Needed: %(players)s hands of %(number)s."),
    "bad_deal.crib": gettext_lazy("A card is dealt to the crib only with three players."),
    "bad_deal.range": gettext_lazy("Not all of these are cards: %(found)s."),
    "bad_deal.twice": gettext_lazy("The same card is there twice: %(cards)s."),
    "bad_deal.size": gettext_lazy("Seat %(seat)s has %(number)s cards. Needed: %(expected)s."),
    "bad_starter": gettext_lazy("%(cards)s was dealt; it can't be the starter."),
    "bad_starter.range": gettext_lazy("Not all of these are cards: %(found)s."),
    "bad_starter.twice": gettext_lazy("The same card is there twice: %(cards)s."),
    "claim_required": gettext_lazy("With manual counting, every card needs its points."),
    "claim_not_allowed": gettext_lazy("Leave the points out: this game is counted for you."),
    "bad_claim": gettext_lazy("%(found)s can't be claimed. Allowed: %(least)s to %(most)s."),
    "bad_claim.muggins": gettext_lazy(
        "Muggins can't be called for %(found)s. Allowed: %(least)s to %(most)s."
    ),
    "claim_open": gettext_lazy("The previous claim is still open."),
    "no_claim_open": gettext_lazy("There's no claim to answer."),
    "not_asked": gettext_lazy("Seat %(seat)s can't answer seat %(other_seat)s's claim."),
    "nothing_to_pass": gettext_lazy("A claim in the play needs no pass."),
}
"""The sentence of each key of `games.engine.faults.DETAILS` and of the imports."""

PHASES: Mapping[str, Promise] = {
    "cut": pgettext_lazy("next step", "the cut"),
    "deal": pgettext_lazy("next step", "the deal"),
    "discard": pgettext_lazy("next step", "a discard"),
    "starter": pgettext_lazy("next step", "the starter"),
    "play": pgettext_lazy("next step", "a card"),
    "show": pgettext_lazy("next step", "the show"),
    "over": pgettext_lazy("next step", "nothing, the game is over"),
}
"""The action that each phase waits for."""

_SEATS = ("seat", "expected_seat", "other_seat", "last")
_OF_SEATS = {"bad_rule.dealer", "bad_seat"}
"""Keys of a value that should be a seat."""


def fault_words(key: str, params: Mapping[str, object]) -> str:
    """Return what is wrong as a sentence."""
    shown = dict(params)
    for name in _SEATS:
        seat = shown.get(name)
        if type(seat) is int:
            shown[name] = seat + 1
    for name in ("place", "field"):
        if name in shown:
            shown[name] = place_words(str(shown[name]))
    for name in ("found", "expected"):
        if name in shown:
            place = "seat" if key in _OF_SEATS else str(params.get("place", ""))
            shown[name] = value_words(place, shown[name])
    for name in ("phase", "action"):
        if name in shown:
            shown[name] = PHASES[str(shown[name])]
    return str(SENTENCES[key]) % shown


def event_words(event: RecordEvent) -> str:
    """Return the position of an event in its hand, such as "play 4"."""
    return str(EVENTS[event.kind, event.number is not None]) % {
        "n": event.number if event.kind != "discard" else (event.number or 0) + 1
    }


EVENTS: Mapping[tuple[str, bool], Promise] = {
    ("deal", False): pgettext_lazy("position", "deal"),
    ("discard", False): pgettext_lazy("position", "discard"),
    ("discard", True): pgettext_lazy("position", "discard of seat %(n)s"),
    ("starter", False): pgettext_lazy("position", "starter"),
    ("play", False): pgettext_lazy("position", "play"),
    ("play", True): pgettext_lazy("position", "card %(n)s of the play"),
    ("log", False): pgettext_lazy("position", "log"),
    ("log", True): pgettext_lazy("position", "log, line %(n)s"),
    ("show", True): pgettext_lazy("position", "show, item %(n)s"),
    ("muggins", True): pgettext_lazy("position", "muggins %(n)s"),
    ("scores", True): pgettext_lazy("position", "scores, item %(n)s"),
    ("resignation", False): pgettext_lazy("position", "resignation"),
    ("end", False): pgettext_lazy("position", "end of the game"),
}
"""Each kind of `RecordEvent`, with and without a number."""


def fault_place(
    *, line: int | None = None, hand: int | None = None, event: RecordEvent | None = None
) -> str:
    """Return a position in a file: "line 3, hand 2, card 4 of the play"; "" for none."""
    where = [_("line %(n)s") % {"n": line}] if line is not None else []
    where += [_("hand %(n)s") % {"n": hand}] if hand is not None else []
    where += [event_words(event)] if event is not None else []
    return ", ".join(where)
