"""Sentences of allauth that the site's own translations say anew.

Its German calls a player "du" on one page and "Sie" on the next. What is marked here is gathered
with the site's texts, and a translation of the site goes before one of an app.
"""

from django.utils.translation import gettext_noop as _

SAID_ANEW = (
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
"""As allauth writes them in English."""
