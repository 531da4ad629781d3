"""Django's entry to the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Matches, players and live tables."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Have matches measured that are over."""
        from games import hooks

        hooks.on_finished(_measure)


def _measure(match: int) -> None:
    """Numba and the tables are loaded when the first match ends, not at the start."""
    from games.services.measuring import measure

    measure(match=match)
