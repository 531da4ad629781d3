"""The field's sums: what decisions cost players of each rating band, made every night."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Count, F, Max, Sum

from games.jobs.backend import BATCH, job
from games.models import DecisionSum, FieldSum, Seat

NEWEST = 1_000_000
"""Number of the newest sums that make the field: about 20,000 matches."""

CELL = ("band", "opponent", "kind", "phase", "dealer", "standing")


@job(queue=BATCH, tries=3, backoff=timedelta(minutes=10))
def sum_up_field() -> None:
    """Replace the field's sums by those of the newest reviews of matches played here."""
    last = DecisionSum.objects.aggregate(last=Max("pk"))["last"] or 0
    cells = (
        DecisionSum.objects.filter(pk__gt=last - NEWEST, seat__places__isnull=False)
        .exclude(seat__kind=Seat.Kind.IMPORTED)
        .values(*CELL, places=F("seat__places"))
        .annotate(
            all_decisions=Sum("decisions"),
            all_losses=Sum("loss"),
            players=Count("seat__player", distinct=True),
        )
        .order_by()
    )
    made = [
        FieldSum(
            **{name: cell[name] for name in (*CELL, "places", "players")},
            decisions=cell["all_decisions"],
            loss=cell["all_losses"],
        )
        for cell in cells
    ]
    with transaction.atomic():
        FieldSum.objects.all().delete()
        FieldSum.objects.bulk_create(made, batch_size=500)
