"""Endpoints of the hand counter and the discard helper."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest
from ninja import Query, Router

from games.engine.scoring import score_hand
from games.learn import analysis_access
from games.pages.learn.forms import CounterForm, DiscardForm, names_of
from games.rest.faults import BadInput
from games.rest.readers import ALL, REFUSALS, reader_of
from games.rest.schemas import CountIn, CountOut, Error, PartOut, ThrowOut, ThrowsIn, ThrowsOut

router = Router(tags=["tools"], auth=ALL)


@router.get(
    "/count", response={200: CountOut, 422: Error, **REFUSALS}, summary="Count a hand or a crib"
)
def count(request: HttpRequest, asked: Query[CountIn]) -> CountOut:
    """Return the points of four cards and the starter, with each combination."""
    form = CounterForm({"cards": asked.cards, "crib": asked.crib})
    _check(form)
    *hand, starter = form.cleaned_data["cards"]
    breakdown = score_hand(tuple(hand), starter, asked.crib)
    parts = [
        PartOut(kind=part.kind, cards=names_of(part.cards), points=part.points)
        for part in breakdown.parts
    ]
    return CountOut(points=breakdown.total, parts=parts)


@router.get(
    "/discards", response={200: ThrowsOut, 422: Error, **REFUSALS}, summary="Rank all discards"
)
def discards(request: HttpRequest, asked: Query[ThrowsIn]) -> ThrowsOut:
    """Return the average value of each discard, best first."""
    from games.analysis.discards import evaluate_discards

    given = {name: str(value) for name, value in asked.dict().items() if value is not None}
    form = DiscardForm.asked(given)
    _check(form)
    data = form.cleaned_data
    text = analysis_access.refusal(data["cards"], reader_of(request), request.COOKIES)
    if text:
        raise BadInput(f"cards: {text}")
    found = evaluate_discards(
        data["cards"], data["role"], form.scores, form.seats, target=data["target"]
    )
    throws = []
    for value in found:
        counts = [points for points, starters in enumerate(value.spread) if starters]
        throws.append(
            ThrowOut(
                thrown=names_of(value.thrown),
                kept=names_of(value.kept),
                hand=round(value.hand, 3),
                lowest=counts[0],
                highest=counts[-1],
                crib=round(value.crib, 3),
                pegging=round(value.pegging, 3),
                total=round(value.total, 3),
                chance=round(value.chance, 4),
            )
        )
    return ThrowsOut(throws=throws)


def _check(form: forms.Form) -> None:
    """Raise the form's first error as BadInput, with the name of its field."""
    if not form.is_valid():
        field, errors = next(iter(form.errors.items()))
        raise BadInput(f"{field}: {' '.join(map(str, errors))}")
