"""Par of standard games, computed on first use."""

from __future__ import annotations

from games.api import PAR_VERSION, Ruleset, par
from ratings.models import StandardGame
from ratings.standard import decks as packing


def par_of(*, game: StandardGame) -> list[float]:
    """Return the par of each seat, points; it is computed and stored on the first call.

    Par depends on the packs only, so two processes that compute it at once store the same values.
    """
    if game.par is None:
        ruleset = Ruleset(players=game.seats)
        packs = [packing.by_role(pack, ruleset) for pack in game.decks.packs]
        game.par, game.par_version = list(par(packs, seats=game.seats).margins), PAR_VERSION
        StandardGame.objects.filter(pk=game.pk).update(par=game.par, par_version=game.par_version)
    return game.par
