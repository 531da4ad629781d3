"""Every address of the site with odd values and a foreign ``next``: no server error, no way out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.http import HttpRequest
from django.template.backends.django import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.models import Player
from tests.support.people import make_computer_match, make_match

pytestmark = pytest.mark.django_db

GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")
"""A named part of a pattern that is a regular expression."""
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")
"""A named part of a pattern that is a path."""
HUGE = "9" * 20
NUMBERS = ("1", "0", HUGE)
DAYS = ("2026-11-30", "9999-12-31", "0001-01-01")
VALUES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("pk", "number", "game", "hand", "step", "part", "level", "object_id"), NUMBERS
    ),
    "year": ("2026", "0", "99999"),
    "month": ("11", "0", "13"),
    "when": DAYS,
    "week": DAYS,
    "name": ("2026-11", "9999-99", "1000"),
    "path": ("matches/aaaaaaaaaa", "../x", "//elsewhere.example", "a" * 3000),
}
OTHERS = ("aaaaaaaaaa", "a-b")
QUERY = (
    f"?next=//elsewhere.example/&page={HUGE}&after=zz&cards=zz&only=x&habit=zz&q=%F0%9F%98%80"
    "&since=9999-12-31&until=0001-01-01&opponent=zzzzzzzzzz&level=99&kind=zz&seats=9&month=9999-99"
)
FORM = {"next": "//elsewhere.example/", "name": "x\x01", "cards": "5H", "text": "hi"}
SESSION = settings.SESSION_COOKIE_NAME
ERROR_PAGES = {"404.html", "405.html"}
ENDS_THE_SESSION = ("logout", "data/delete", "accounts/login", "accounts/signup")


def patterns(resolver: Any, before: str = "") -> Iterator[str]:
    """Yield the patterns of all views but the admin's."""
    for each in resolver.url_patterns:
        text = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from patterns(each, text)
        elif isinstance(each, URLPattern) and not text.startswith("admin/"):
            yield GROUP.sub(r"<\1>", text).translate(str.maketrans("", "", "^$\\"))


def addresses(ids: tuple[str, ...], *, odd_values: bool) -> dict[str, str]:
    """Return addresses with their patterns, with usual values, and odd ones at one place at a time.

    Of each pattern the address with usual values comes first.
    """
    found: dict[str, str] = {}
    for pattern in patterns(get_resolver()):
        names = PLACE.findall(pattern)
        values = {name: VALUES.get(name, (*ids, *OTHERS)) for name in names}
        for odd in names or [""]:
            for value in values.get(odd, ("",))[: None if odd_values else 1]:
                usual = {name: given[0] for name, given in values.items()} | {odd: value}
                address = "/" + PLACE.sub(lambda place, usual=usual: usual[place[1]], pattern)
                found.setdefault(address, pattern)
    return found


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "LIMITS", dict.fromkeys(settings.LIMITS, (0, 60)))


@pytest.fixture(autouse=True)
def _few_error_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave pages about a wrong address or method empty, but for the first of each pattern."""
    shown: set[tuple[object, ...]] = set()
    write = Template.render

    def render(page: Template, context: Any = None, request: HttpRequest | None = None) -> Any:
        name = page.template.name
        if name in ERROR_PAGES and request is not None:
            where = request.resolver_match
            of = (name, where and where.route, request.user.is_authenticated)
            if of in shown:
                return ""
            shown.add(of)
        return write(page, context, request)

    monkeypatch.setattr(Template, "render", render)


def test_no_address_fails_or_leads_away() -> None:
    person = Player.objects.create_user("Ann", password="fifteen-two-4")
    asked, failed = Counter[str](), []
    refused: set[tuple[str, str]] = set()
    for role in ("visitor", "guest", "person"):
        owner = make_match()[0].public_id
        match, guest = make_computer_match()
        reader = {"guest": guest, "person": person}.get(role)
        client = Client(raise_request_exception=False)
        ids = (owner, match.public_id, guest.public_id)
        changed = True
        for address, pattern in addresses(ids, odd_values=role == "person").items():
            if reader and any(word in address for word in ENDS_THE_SESSION):
                continue
            for name in set(client.cookies) if changed else {*client.cookies} - {SESSION}:
                del client.cookies[name]
            if changed and reader:
                client.force_login(reader)
            changed = False
            for method in ("GET", "POST"):
                asked[role] += 1
                if (method, pattern) in refused:
                    continue
                asks_for = address + QUERY
                answer = client.post(asks_for, FORM) if method == "POST" else client.get(asks_for)
                changed = changed or answer.wsgi_request.session.modified
                if answer.status_code == 405:
                    refused.add((method, pattern))
                away = urlsplit(answer.headers.get("Location", "").replace("\\", "/")).netloc
                if answer.status_code >= 500 or away not in {"", "testserver"}:
                    failed.append((role, method, address, answer.status_code, away))
    assert asked["person"] > 900
    assert min(asked.values()) > 500
    assert failed == []
