"""Sign-up and log-in views that also work for guests."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import (
    ConfirmEmailView,
    LoginView,
    PasswordResetFromKeyView,
    SignupView,
)
from allauth.mfa.base import views as base_views
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes import views as code_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as webauthn_views
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse

from games.models import Player, Session
from games.pages.site.visitor import sign_up_first
from games.people.accounts import name_taken
from games.people.player_lock import lock_rows, locked_player
from games.people.way_back import way_back_to


def _once(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Redirect a form for a passkey or app that is gone to the list: it was sent twice."""

    @wraps(view)
    def removed(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            if request.method != "POST":
                raise
            return HttpResponseRedirect(reverse("mfa_index"))

    return removed


class AddPasskeyView(webauthn_views.AddWebAuthnView):
    """Add a passkey, once for two clicks: allauth stores one as often as it is sent."""

    _form: Any = None

    def get_form(self, form_class: Any = None) -> Any:
        """Return the request's form: allauth would check a refused one again, for its page.

        By then the challenge is used up, so that the page would call the code wrong.
        """
        if self._form is None:
            self._form = super().get_form(form_class)
        return self._form

    def form_valid(self, form: Any) -> HttpResponseBase:
        """Store the passkey, unless the player has it already."""
        if form.is_known():
            return HttpResponseRedirect(reverse("mfa_index"))
        return super().form_valid(form)  # type: ignore[no-any-return]


def _logged_in(request: HttpRequest, way_back: str | None = None) -> HttpResponseBase:
    """Redirect the second of two clicks to where the first one's login leads.

    Its own request knows only the visitor, for whom allauth's `get_login_redirect_url` fails.
    """
    return redirect(way_back or get_next_redirect_url(request) or settings.LOGIN_REDIRECT_URL)


class PasskeyLoginView(webauthn_views.LoginWebAuthnView):
    """Log in with a passkey alone; its form locks the passkey's owner."""

    @transaction.atomic
    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Log in."""
        return super().post(request, *args, **kwargs)  # type: ignore[no-any-return]

    def form_invalid(self, form: Any) -> HttpResponseBase:
        """Say what is wrong, unless the first of two clicks has ended this session.

        The first one may be about to end it. Then this one stores the session before, with its row
        locked: stored at the end of the request, as usual, it would be missing.
        """
        session, key = self.request.session, self.request.session.session_key
        if key is None:
            return self._ask_again(form)
        if not list(Session.objects.select_for_update().filter(pk=key).values_list("pk")):
            session.modified = False
            return _logged_in(self.request)
        answer = self._ask_again(form)
        session.save()
        session.modified = False
        return answer

    def _ask_again(self, form: Any) -> HttpResponseBase:
        """Redirect to the log-in page with what is wrong, and keep the way back."""
        super().form_invalid(form)
        address = get_next_redirect_url(self.request) or ""
        return redirect(reverse("account_login") + way_back_to(address))


TWO_FACTOR: tuple[tuple[str, Callable[..., HttpResponseBase], str], ...] = (
    ("", base_views.index, "index"),
    ("reauthenticate", base_views.reauthenticate, "reauthenticate"),
    ("totp/activate", totp_views.activate_totp, "activate_totp"),
    ("totp/deactivate", _once(totp_views.deactivate_totp), "deactivate_totp"),
    ("recovery-codes", code_views.view_recovery_codes, "view_recovery_codes"),
    ("recovery-codes/generate", code_views.generate_recovery_codes, "generate_recovery_codes"),
    ("recovery-codes/download", code_views.download_recovery_codes, "download_recovery_codes"),
    ("webauthn", webauthn_views.list_webauthn, "list_webauthn"),
    ("webauthn/add", AddPasskeyView.as_view(), "add_webauthn"),
    ("webauthn/reauthenticate", webauthn_views.reauthenticate_webauthn, "reauthenticate_webauthn"),
    ("webauthn/keys/<int:pk>/remove", _once(webauthn_views.remove_webauthn), "remove_webauthn"),
    ("webauthn/keys/<int:pk>/edit", webauthn_views.edit_webauthn, "edit_webauthn"),
)
"""Allauth's pages of one's own passkeys and codes, which guests, who are logged in, don't get:
address below accounts/2fa/, view, and name after "mfa_"."""


def redirect_guests(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Redirect guests to sign-up: just an e-mail address or password would make half an account."""

    @wraps(view)
    def for_people(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.user, Player) and request.user.is_guest:
            return sign_up_first(request)
        return view(request, *args, **kwargs)

    return for_people


def one_post_at_a_time(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make the forms of one player wait for each other: allauth fails on a double click."""

    @wraps(view)
    def in_turn(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST" or not isinstance(request.user, Player):
            return view(request, *args, **kwargs)
        with locked_player(request.user):
            return view(request, *args, **kwargs)

    return in_turn


class _ForGuestsToo:
    """View mixin that redirects logged-in people, but not guests, who are logged in too."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if isinstance(user, Player) and not user.is_guest:
            return HttpResponseRedirect(self.get_authenticated_redirect_url())  # type: ignore[attr-defined]
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc, no-any-return]


class AccountLoginView(_ForGuestsToo, LoginView):
    """Log in; matches played as a guest move to the account."""


class SecondStepView(base_views.AuthenticateView):
    """The second step of a login, also for guests, whom allauth would redirect as logged in."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Hide a guest until allauth has found the login that is under way."""
        self._visitor = request.user
        if isinstance(self._visitor, Player) and self._visitor.is_guest:
            request.user = AnonymousUser()
        return super().dispatch(request, *args, **kwargs)  # type: ignore[no-any-return]

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Ask for the second step."""
        request.user = self._visitor
        return super().get(request, *args, **kwargs)  # type: ignore[no-any-return]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the page's context, with a form for a passkey only where there is one."""
        context: dict[str, Any] = super().get_context_data(**kwargs)
        keys = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN)
        context["has_passkey"] = keys.filter(user=self.stage.login.user).exists()
        return context

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Log in, or cancel; the adapter moves a guest's matches at login.

        The second of two clicks changes nothing: the login of the first one has ended the session
        in which the second was sent. With a new password the login begins anew.
        """
        request.user = self._visitor
        login = self.stage.login
        if "cancel" in request.POST:
            return self._begin_anew()
        both = (self._visitor, login.user)
        with transaction.atomic():
            stored = lock_rows(*(each for each in both if isinstance(each, Player)))
            if login.user.pk not in stored or not self.stage.is_of(stored[login.user.pk]):
                return self._begin_anew()
            if request.session.exists(request.session.session_key or ""):
                return super().post(request, *args, **kwargs)  # type: ignore[no-any-return]
        request.session.modified = False
        return _logged_in(request, login.redirect_url)

    def _begin_anew(self) -> HttpResponseBase:
        address = self.stage.login.redirect_url or ""
        self.stage.abort()
        return redirect(reverse("account_login") + way_back_to(address))


class ConfirmAddressView(ConfirmEmailView):
    """Confirm an e-mail address."""

    def logout_other_user(self, confirmation: Any) -> None:
        """Log no one out: a link that anyone can send must not end the session of its reader.

        The page names the account, and confirming its address gives no access to it.
        """

    def get(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Ask, or say that the address is confirmed already."""
        address = _confirmed_address(self.kwargs["key"])
        if address is None:
            return super().get(*args, **kwargs)  # type: ignore[no-any-return]
        text, values = "account/messages/email_confirmed.txt", {"email": address.email}
        get_adapter(self.request).add_message(self.request, messages.SUCCESS, text, values)
        return self._go_on(address)

    def post(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Confirm the address, or go on as the first of two clicks did."""
        try:
            return super().post(*args, **kwargs)  # type: ignore[no-any-return]
        except Http404:
            address = _confirmed_address(self.kwargs["key"])
            if address is None:
                raise
            return self._go_on(address)

    def _go_on(self, address: EmailAddress) -> HttpResponseBase:
        adapter = get_adapter(self.request)
        return redirect(adapter.get_email_verification_redirect_url(address))


def _confirmed_address(key: str) -> EmailAddress | None:
    """Return the address that a link in a mail has confirmed; None for any other link."""
    kept = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
    try:
        pk = signing.loads(key, max_age=kept, salt=app_settings.SALT)
    except signing.BadSignature:
        return None
    return EmailAddress.objects.filter(pk=pk, verified=True).first()


class NewPasswordView(PasswordResetFromKeyView):
    """Choose a new password in place of a forgotten one.

    Allauth logs out everyone but the account's owner. A guest stays logged in: they could never
    return to their matches otherwise. A login moves these to the account.
    """

    def logout(self) -> None:
        """Log out a person, but not a guest."""
        user = self.request.user
        if not (isinstance(user, Player) and user.is_guest):
            super().logout()


class AccountSignupView(_ForGuestsToo, SignupView):
    """Sign up; a guest's row becomes the person's."""

    def get_initial(self) -> dict[str, Any]:
        """Suggest the name that a guest has chosen."""
        initial = dict(super().get_initial())
        user = self.request.user
        if isinstance(user, Player) and user.is_guest and not user.has_generated_name:
            initial.setdefault("username", user.name)
        return initial

    def form_valid(self, form: Any) -> HttpResponseBase:
        """Store the person; of two clicks, or two people with one name, the first one is stored."""
        try:
            with transaction.atomic():
                if self._has_signed_up():
                    return HttpResponseRedirect(self.get_authenticated_redirect_url())
                return super().form_valid(form)  # type: ignore[no-any-return]
        except IntegrityError:
            form.add_error("username", name_taken())
            return self.form_invalid(form)  # type: ignore[no-any-return]

    def _has_signed_up(self) -> bool:
        """Return whether the guest has become a person since this request began, and lock them."""
        user = self.request.user
        if not isinstance(user, Player):
            return False
        stored = lock_rows(user).get(user.pk)
        return stored is None or not stored.is_guest
