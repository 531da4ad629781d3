"""Texts of allauth that the site translates itself.

Allauth's German mixes "du" and "Sie". Texts marked here are extracted with the site's own, whose
translations take precedence over those of apps.
"""

from django.utils.translation import gettext_noop as _

REWORDED_MESSAGES = (
    _("Please reauthenticate to safeguard your account."),
    _("Enter your password:"),
    _(
        "You're receiving this email because user %(user_display)s has given your email address "
        "to register an account on %(site_domain)s."
    ),
    _("To confirm this is correct, go to %(activate_url)s"),
    _(
        "You are receiving this email because you, or someone else, tried to access an account "
        "with email %(email)s. However, we do not have any record of such an account in our "
        "database."
    ),
    _("If it was you, you can sign up for an account using the link below."),
)
"""The English source texts of allauth."""
