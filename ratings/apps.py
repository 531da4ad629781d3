"""Django's entry to the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Standard games and ratings."""

    name = "ratings"
    verbose_name = _("Ratings")

    def ready(self) -> None:
        """Ask to be told of matches that end and of guests who log in."""
        from games.api import on_finished, on_merging

        on_finished(_collect)
        on_merging(_merge)


def _collect(match: int) -> None:
    """Numpy and the model are loaded when the first result comes in, not at the start."""
    from ratings.services.collecting import collect

    collect(match=match)


def _merge(guest: int, account: int) -> None:
    from ratings.services.linking import merge

    merge(guest=guest, account=account)
