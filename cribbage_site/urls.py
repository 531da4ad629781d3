"""Addresses of the whole site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from games.account_views import AccountLoginView, AccountSignupView
from games.rest.api import api

# One door to log in by, with one set of limits: the admin's own knows none.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    # Before allauth's own two of the same address and name.
    path("accounts/login/", AccountLoginView.as_view(), name="account_login"),
    path("accounts/signup/", AccountSignupView.as_view(), name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]
