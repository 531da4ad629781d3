"""Addresses of the whole site."""

from django.contrib import admin
from django.urls import include, path

from games.account_views import AccountLoginView, AccountSignupView
from games.rest.api import api

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
