"""Par of standard games."""

from __future__ import annotations

from games.api import PAR_VERSION, Ruleset, par
from ratings import decks as packing
from ratings.models import StandardGame


def par_of(*, game: StandardGame) -> list[float]:
    """Return what each seat is worth, worked out and stored at the first call.

    It follows from the packs alone, so that two who do it at once store the same.
    """
    if game.par is None:
        ruleset = Ruleset(players=game.seats)
        packs = [packing.by_role(pack, ruleset) for pack in game.decks.packs]
        game.par, game.par_version = list(par(packs, seats=game.seats).margins), PAR_VERSION
        StandardGame.objects.filter(pk=game.pk).update(par=game.par, par_version=game.par_version)
    return game.par
