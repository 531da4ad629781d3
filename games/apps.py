"""Django's entry to the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """Matches, players and live tables."""

    name = "games"
    verbose_name = _("Games")
