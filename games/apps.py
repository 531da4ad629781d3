"""Django's entry to the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Matches, players and live tables."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Have matches measured that are over, and browsers forgotten that are logged out of."""
        from games import hooks, push

        hooks.on_finished(_measure)
        push.listen()


def _measure(match: int) -> None:
    """Numba and the tables are loaded when the first match ends, not at the start."""
    from games.services.measuring import measure

    measure(match=match)
