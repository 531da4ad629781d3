"""URL patterns of the whole site."""

from allauth.account import views
from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path, re_path

from cribbage_site.security_txt import ADDRESS, security_txt
from games.pages.people.account_views import (
    TWO_FACTOR,
    AccountLoginView,
    AccountSignupView,
    ConfirmAddressView,
    NewPasswordView,
    PasskeyLoginView,
    SecondStepView,
    one_post_at_a_time,
    redirect_guests,
)
from games.rest.api import api
from games.rest.sockets import asyncapi

# One log-in page, with one set of rate limits; the admin's own has none.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

handler400 = "cribbage_site.faults.bad_request"
handler404 = "cribbage_site.faults.not_found"
handler500 = "cribbage_site.faults.server_error"

urlpatterns = [
    # These come before allauth's own views with the same addresses and names.
    path("accounts/login/", AccountLoginView.as_view(), name="account_login"),
    path("accounts/2fa/authenticate/", SecondStepView.as_view(), name="mfa_authenticate"),
    path("accounts/2fa/webauthn/login/", PasskeyLoginView.as_view(), name="mfa_login_webauthn"),
    path("accounts/signup/", AccountSignupView.as_view(), name="account_signup"),
    re_path(
        r"^accounts/confirm-email/(?P<key>[-:\w]+)/$",
        ConfirmAddressView.as_view(),
        name="account_confirm_email",
    ),
    re_path(
        r"^accounts/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        NewPasswordView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("accounts/email/", redirect_guests(views.email), name="account_email"),
    path(
        "accounts/password/set/", redirect_guests(views.password_set), name="account_set_password"
    ),
    path(
        "accounts/password/change/",
        redirect_guests(views.password_change),
        name="account_change_password",
    ),
    path(
        "accounts/reauthenticate/",
        redirect_guests(views.reauthenticate),
        name="account_reauthenticate",
    ),
    *(
        path(
            f"accounts/2fa/{route}/".replace("//", "/"),
            redirect_guests(one_post_at_a_time(view)),
            name=f"mfa_{name}",
        )
        for route, view, name in TWO_FACTOR
    ),
    path("accounts/", include("allauth.urls")),
    path(ADDRESS, security_txt),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("api/asyncapi.json", asyncapi, name="asyncapi"),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]
