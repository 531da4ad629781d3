"""Pages of the explorer: what people threw, led and answered, and the disputed hand of a week."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.archive.explorer import answers, spots
from games.archive.explorer.answers import Answer, Chosen, HandLink
from games.learn import analysis_access
from games.models import Choice, DisputedHand
from games.pages import card_svg
from games.pages.charts.rows import part_bar
from games.pages.learn.explorer_form import ExplorerForm, group_names
from games.pages.learn.explorer_question import Question, question_of, throw_question
from games.pages.learn.forms import names_of
from games.pages.learn.tools import pack, percent, row_of, signed
from games.pages.site.visitor import player_of

EXAMPLES = (
    {"cards": "4H 5H 6S JC 9D KS", "role": "dealer"},
    {"cards": "AC 4D 7H 8S 8C QD", "role": "pone"},
    {"cards": "4H 5H 6S JC", "role": "pone"},
)
"""Example questions: two throws and a lead."""
OTHER_WEEKS = 12
"""Number of other weeks that are linked."""


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
    """Show what was chosen from the cards of the query string."""
    form = ExplorerForm.asked(request.GET.dict()) if "cards" in request.GET else ExplorerForm()
    examples = [
        {"names": address["cards"], "address": f"?{urlencode(address)}"} for address in EXAMPLES
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
            context |= explored(question_of(form), form.groups, form.stages)
            context["narrowed"] = not {"who", "score"}.isdisjoint(address)
            context["hand"] = address["cards"]
            context["share"] = request.build_absolute_uri(f"{request.path}?{urlencode(address)}")
    return render(request, "games/learn/explorer.html", context, status=422 if form.errors else 200)


@require_safe
def disputed(request: HttpRequest, week: date | None = None) -> HttpResponse:
    """Show the most disputed hand of the last whole week, or of another one by its Monday."""
    hands = DisputedHand.objects.order_by("-week")
    hand = hands.first() if week is None else get_object_or_404(hands, week=week)
    context: dict[str, Any] = {"hand": hand}
    if hand is not None:
        cards, _led = spots.cards_of(hand.spot)
        dealer = spots.is_dealer(hand.spot)
        role = "dealer" if dealer else "pone"
        context |= explored(throw_question(cards, dealer=dealer))
        context |= {
            "cards": [card_svg.face(card) for card in sorted(cards)],
            "split": percent(hand.split, 0),
            "last_day": hand.week + timedelta(days=6),
            "address": f"?{urlencode({'cards': names_of(tuple(sorted(cards))), 'role': role})}",
            "others": hands.exclude(pk=hand.pk)[:OTHER_WEEKS],
        }
    return render(request, "games/learn/disputed.html", context)


def explored(
    asked: Question,
    groups: Sequence[int] = answers.PEOPLE,
    stages: Sequence[int] = tuple(Choice.Stage),
) -> dict[str, Any]:
    """Return the template context of a question's table."""
    found = answers.answer(asked.spot, groups=groups, stages=stages)
    replays = answers.links(asked.spot, groups=groups, stages=stages) if found.total else {}
    lines = [
        _line(one, found, asked, replays.get(one.choice, []))
        for one in _with_best(found.chosen, asked.best)
        if one.choice in asked.cards
    ]
    return {
        "lines": lines,
        "total": found.total,
        "groups": [name for group, name in group_names().items() if group in found.groups],
        "rated": not answers.RATED.isdisjoint(found.groups),
        "kind": asked.kind,
        "dealer": asked.kind == "throw" and spots.is_dealer(asked.spot),
    }


def _with_best(chosen: tuple[Chosen, ...], best: int | None) -> tuple[Chosen, ...]:
    """Return the choices that were made, and the best one if nobody made it."""
    known = best is None or any(one.choice == best for one in chosen)
    return chosen if known or not chosen else (*chosen, Chosen(best or 0))


def _line(one: Chosen, found: Answer, asked: Question, links: list[HandLink]) -> ChoiceLine:
    times = one.times(found.selected)
    share = times / found.total if found.total else 0.0
    return ChoiceLine(
        cards=row_of(card_svg.face(card, size="small") for card in asked.cards[one.choice]),
        times=times,
        share=percent(share, 0),
        bar=part_bar(share),
        groups=tuple(
            GroupShare(str(name), _share(one.by_group.get(group, 0), found.groups[group]))
            for group, name in group_names().items()
            if group in found.groups
        ),
        scored="–" if one.average is None else signed(one.average, plus=""),
        said=asked.said(one.choice),
        best=one.choice == asked.best,
        links=tuple(links),
    )


def _share(times: int, total: int) -> str:
    return percent(times / total, 0)
