"""Configuration of the Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The app of matches, players and live tables."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Register hooks and system checks."""
        from django.core.checks import Tags, register

        from games import doctor, hooks
        from games.correspondence import push

        register(doctor.check_settings, Tags.security, deploy=True)
        hooks.on_finished(_measure)
        push.listen()


def _measure(match: int) -> None:
    """Measure a match; the import is here so that Numba and tables load only when one ends."""
    from games.archive.measuring import measure

    measure(match=match)
