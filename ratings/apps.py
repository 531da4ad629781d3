"""Django's entry to the app."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Standard games and ratings."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Ask to be told of matches that end and guests who log in, and asked who may see cards."""
        from games.api import on_exporting, on_finished, on_merging, on_rated, on_reached

        on_finished(_collect)
        on_merging(_merge)
        on_exporting(_kept)
        on_rated(_rated)
        on_reached(_reached)


def _collect(match: int) -> None:
    """Numpy and the model are loaded when the first result comes in, not at the start."""
    from ratings.services.collecting import collect

    collect(match=match)


def _merge(guest: int, account: int) -> None:
    from ratings.services.linking import merge

    merge(guest=guest, account=account)


def _reached(match: int, player: int | None) -> int | None:
    from ratings.selectors.access import hands_reached_in

    return hands_reached_in(match=match, player=player)


def _kept(player: int) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    from ratings.selectors.about import kept_of

    return kept_of(player)


def _rated(player: int) -> list[dict[str, Any]]:
    from ratings.selectors.about import ratings_of

    return ratings_of(player)
