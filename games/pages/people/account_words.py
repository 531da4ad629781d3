"""Texts of allauth that the site shows as they are, and translates itself.

Allauth's German mixes "du" and "Sie". Texts marked here are extracted with the site's own, whose
translations take precedence over those of apps.
"""

from django.utils.translation import gettext_noop as _

REWORDED_MESSAGES = (
    _("Forgot your password?"),
    _("The two passwords differ. Type the same one twice."),
)
"""The English source texts of allauth."""
