"""Standard games made from private matches whose players do not let others have the cards."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from games.api import Sharing
from ratings.models import Play

PRIVATE = Q(kind=Play.Kind.LIVE, match__listed=False)


def withheld_plays() -> QuerySet[Play]:
    """Return the plays whose table, or one of whose players, allows no sharing.

    Their cards are dealt to nobody and shown to nobody else, and no field has their attempts. The
    players' settings are read anew each time, so earlier matches follow them.
    """
    never = Q(match__sharing=Sharing.NEVER) | Q(attempts__player__sharing=Sharing.NEVER)
    return Play.objects.filter(PRIVATE & never)
