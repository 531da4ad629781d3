"""The player of a websocket: the same as for a page, for many sessions in one query."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings

from cribbage_site.session import players
from cribbage_site.session_store import SessionStore
from games.models import Player, Session
from games.people.accounts import create_guest
from tests.support.sessions import session_of

pytestmark = pytest.mark.django_db


def test_many_sessions_take_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    guests = [create_guest() for _ in range(5)]
    keys = {session_of(guest): guest for guest in guests}
    with django_assert_num_queries(1):
        assert players(list(keys)) == keys


def test_sessions_that_prove_nothing_have_no_player() -> None:
    guest, barred = create_guest(), create_guest()
    expired = session_of(guest)
    Session.objects.filter(session_key=expired).update(expire_date=timezone.now() - timedelta(1))
    forged = session_of(guest)
    Session.objects.filter(session_key=forged).update(session_data="forged")
    inactive = session_of(barred)
    Player.objects.filter(pk=barred.pk).update(is_active=False)
    nobody = SessionStore()
    nobody.save()
    bad = [
        expired,
        forged,
        inactive,
        nobody.session_key or "",
        session_of(guest, **{HASH_SESSION_KEY: "of another password"}),
        session_of(guest, **{HASH_SESSION_KEY: ""}),
        session_of(guest, **{BACKEND_SESSION_KEY: "unknown.Backend"}),
        session_of(guest, **{SESSION_KEY: "0"}),
        "unknownkeyofasession",
        "with\0null",
        "",
    ]
    good = session_of(guest)
    assert players([*bad, good]) == {good: guest}


def test_a_socket_does_not_rename_a_session_signed_with_an_older_key(
    settings: Settings,
) -> None:
    settings.SECRET_KEY = "an older key"
    guest = create_guest()
    key = session_of(guest)
    settings.SECRET_KEY_FALLBACKS = ["an older key"]
    settings.SECRET_KEY = "the key of today"
    assert players([key]) == {key: guest}
    assert Session.objects.filter(session_key=key).exists(), "the browser knows only this key"
