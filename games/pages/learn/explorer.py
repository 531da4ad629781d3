"""Page of the explorer: what people threw from any six cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.archive.explorer import answers, spots
from games.archive.explorer.answers import Answer, Chosen, HandLink
from games.engine.cards import Card
from games.learn import analysis_access
from games.pages import card_svg
from games.pages.charts.rows import part_bar
from games.pages.learn.explorer_form import ExplorerForm, group_names
from games.pages.learn.tools import HANDS_TO_PART, pack, percent, row_of, signed
from games.pages.site.visitor import player_of


@dataclass(frozen=True, slots=True)
class GroupShare:
    """The share of one group that made a choice, as text; empty if the group never chose."""

    name: str
    share: str


@dataclass(frozen=True, slots=True)
class ChoiceLine:
    """A choice in the table, with its numbers as text."""

    cards: SafeString
    times: int
    share: str
    bar: SafeString
    groups: tuple[GroupShare, ...]
    scored: str
    said: str
    best: bool
    links: tuple[HandLink, ...]


@require_safe
def explorer(request: HttpRequest) -> HttpResponse:
    """Show what was thrown from the cards of the query string."""
    form = ExplorerForm.asked(request.GET.dict()) if "cards" in request.GET else ExplorerForm()
    examples = [
        {"names": names, "address": f"?{urlencode({'cards': names})}"}
        for names in HANDS_TO_PART
        if len(names.split()) == 6
    ]
    context: dict[str, Any] = {"form": form, "pack": pack(), "examples": examples}
    if form.is_valid():
        address = form.address()
        if request.GET.dict() != address:
            return redirect(f"{request.path}?{urlencode(address)}")
        cards = form.cleaned_data["cards"]
        text = analysis_access.refusal(cards, player_of(request), request.COOKIES)
        if text:
            form.add_error("cards", text)
        else:
            context |= _explored(form, cards)
            context["share"] = request.build_absolute_uri(f"{request.path}?{urlencode(address)}")
    return render(request, "games/learn/explorer.html", context, status=422 if form.errors else 200)


def _explored(form: ExplorerForm, cards: tuple[Card, ...]) -> dict[str, Any]:
    from games.analysis.discards import average_points

    dealer = form.cleaned_data["role"] == "dealer"
    spot = spots.throw_spot(cards, dealer=dealer)
    chosen = {"groups": form.groups, "stages": form.stages}
    found = answers.answer(spot, **chosen)
    values = average_points(cards, "dealer" if dealer else "pone")
    throws = spots.throws(cards)
    said = {choice: value_of(values, cards, choice) for choice in throws}
    shown = {card: card_svg.face(card, size="small") for card in cards}
    replays = answers.links(spot, **chosen) if found.total else {}
    best = max(said, key=lambda choice: said[choice])
    lines = [
        _line(
            one,
            found,
            cards=row_of(shown[card] for card in throws[one.choice]),
            said=signed(said[one.choice], plus=""),
            best=one.choice == best,
            links=replays.get(one.choice, []),
        )
        for one in _with_best(found.chosen, best)
        if one.choice in throws
    ]
    return {
        "lines": lines,
        "total": found.total,
        "groups": [name for group, name in group_names().items() if group in found.groups],
        "dealer": dealer,
    }


def value_of(values: dict[tuple[Card, ...], float], cards: tuple[Card, ...], choice: int) -> float:
    """Return the value of a choice: of the best pair of cards with its number."""
    return max(value for pair, value in values.items() if spots.throw_choice(cards, pair) == choice)


def _with_best(chosen: tuple[Chosen, ...], best: int) -> tuple[Chosen, ...]:
    """Return the choices that were made, and the best one if nobody made it."""
    known = any(one.choice == best for one in chosen)
    return chosen if known or not chosen else (*chosen, Chosen(best))


def _line(
    one: Chosen,
    found: Answer,
    *,
    cards: SafeString,
    said: str,
    best: bool,
    links: list[HandLink],
) -> ChoiceLine:
    times = one.times(found.selected)
    share = times / found.total if found.total else 0.0
    return ChoiceLine(
        cards=cards,
        times=times,
        share=percent(share, 0),
        bar=part_bar(share),
        groups=tuple(
            GroupShare(name, _share(one.by_group.get(group, 0), found.groups[group]))
            for group, name in group_names().items()
            if group in found.groups
        ),
        scored="–" if one.average is None else signed(one.average, plus=""),
        said=said,
        best=best,
        links=tuple(links),
    )


def _share(times: int, total: int) -> str:
    return percent(times / total, 0)
