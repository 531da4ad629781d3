"""Sign-up and log-in for visitors who may be guests already."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LoginView, SignupView
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games.accounts import name_taken
from games.models import Player


def people_only(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send a guest to the sign-up: an address or a password would make half an account of him."""

    @wraps(view)
    def for_people(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, Player) and request.user.is_guest:
            return HttpResponseRedirect(reverse("account_signup"))
        return view(request, *args, **kwargs)

    return for_people


class _ForGuestsToo:
    """Sends people who are logged in home; a guest is logged in too, but may enter."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if isinstance(user, Player) and not user.is_guest:
            return HttpResponseRedirect(self.get_authenticated_redirect_url())  # type: ignore[attr-defined]
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc, no-any-return]


class AccountLoginView(_ForGuestsToo, LoginView):
    """Log in; what was played as a guest comes along."""

    def get_form(self, form_class: Any = None) -> Any:
        """Say "name" here too."""
        form = super().get_form(form_class)
        form.fields["login"].label = _("Name or e-mail")
        form.fields["login"].widget.attrs["placeholder"] = ""
        return form


class AccountSignupView(_ForGuestsToo, SignupView):
    """Sign up; a guest's own row becomes the person's."""

    def get_initial(self) -> dict[str, Any]:
        """Offer a guest the name that he plays under."""
        initial = dict(super().get_initial())
        user = self.request.user
        if isinstance(user, Player) and user.is_guest:
            initial.setdefault("username", user.name)
        return initial

    def get_form(self, form_class: Any = None) -> Any:
        """Call the name by what it is to others; allauth calls it a user name."""
        form = super().get_form(form_class)
        form.fields["username"].label = _("Name")
        form.fields["username"].help_text = _("What the others see, and what you log in with.")
        form.fields["username"].widget.attrs["placeholder"] = ""
        return form

    def form_valid(self, form: Any) -> HttpResponseBase:
        """Store the person; two who ask for one name at once cannot both have it."""
        try:
            with transaction.atomic():
                return super().form_valid(form)  # type: ignore[no-any-return]
        except IntegrityError:
            form.add_error("username", name_taken())
            return self.form_invalid(form)  # type: ignore[no-any-return]
