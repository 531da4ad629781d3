"""Attacks over HTTP, each of which must fail."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.core import mail
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django.fixtures import Settings

from games.engine.state import Ruleset
from games.jobs.worker import work_off
from games.models import Match, Player, QueuedMail, Session
from games.people.accounts import GUEST_BACKEND, create_guest
from games.people.programs import create_program
from games.people.tokens import create_data_token
from games.tables.quick_match import quick_match
from games.tables.tables import create_match
from tests.support.people import make_match
from tests.support.played import play_on

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"
HOSTILE = "<script>alert(1)</script>\"'{{7|add:42}}"
"""Markup, quotes, and an expression that a template would replace by 49; no longer than a name."""
ELSEWHERE = (
    "https://evil.example/", "//evil.example/", "/\\evil.example/", "https:evil.example",
    "javascript:alert(1)", "http://testserver@evil.example/",
)  # fmt: skip
SAMPLES = {
    "public_id": "k7m2p9x4qd", "token": "k7m2p9x4qdk7m2p9", "pk": "1", "number": "1",
    "match": "k7m2p9x4qd", "day": "2026-11-20", "when": "2026-11-20", "game": "1", "hand": "1",
    "step": "1", "part": "1", "key": "k", "uidb36": "1",
}  # fmt: skip


def patterns(
    resolver: URLResolver | None = None, prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    """Return every URL pattern of the site except the admin's."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                yield from patterns(entry, prefix + str(entry.pattern))
        else:
            yield prefix + str(entry.pattern), entry


def filled(route: str) -> str:
    """Return an address with a sample value for each variable part."""
    route = re.sub(r"\(\?P<(\w+)>[^)]*\)", lambda m: SAMPLES.get(m[1], "1"), route)
    route = re.sub(r"<(?:\w+:)?(\w+)>", lambda m: SAMPLES.get(m[1], "1"), route)
    return "/" + re.sub(r"[\^$]|\\Z", "", route)


ADDRESSES = [(filled(route), entry) for route, entry in patterns()]


def refuse(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a forged request, without a page."""
    return HttpResponse(reason, status=403)


def as_player(player: Player, **extra: Any) -> Client:
    client = Client(**extra)
    client.force_login(player, backend=GUEST_BACKEND)
    return client


def crawl(client: Client, *starts: str, most: int = 90) -> Iterator[tuple[str, str]]:
    """Yield address and HTML of the pages reachable from ``starts``, at most two of each kind."""
    waiting, seen = deque(starts), set(starts)
    kinds: dict[str, int] = {}
    while waiting and len(kinds) < most:
        path = waiting.popleft()
        answer = client.get(path)
        assert answer.status_code < 500, path
        if answer.status_code in {301, 302}:
            links = [answer.headers["Location"]]
        elif answer.headers.get("Content-Type", "").startswith("text/html"):
            page = answer.content.decode()
            links = re.findall(r'href="([^"#]+)', page)
            yield path, page
        else:
            continue
        for link in links:
            found = urljoin(path, unescape(link))
            if urlsplit(found).netloc or found.startswith("/static/"):
                continue
            kind = re.sub(r"\d+|/[2-9b-df-hj-np-tv-z]{10,16}(?=/|$)", "N", found)
            if found not in seen and kinds.get(kind, 0) < 2:
                seen.add(found)
                kinds[kind] = kinds.get(kind, 0) + 1
                waiting.append(found)


class TestForgedPosts:
    def test_only_api_and_unsubscribe_views_are_csrf_exempt(self) -> None:
        """The API is read-only; mail programs unsubscribe by a signed address (RFC 8058)."""
        free = [path for path, entry in ADDRESSES if getattr(entry.callback, "csrf_exempt", False)]
        assert free
        known = ("/api/v1/", "/notices/stop/")
        assert [path for path in free if not path.startswith(known)] == []

    def test_a_post_from_another_site_does_nothing(self, settings: Settings) -> None:
        settings.CSRF_FAILURE_VIEW = "tests.site.test_security.refuse"  # 200 pages are not needed
        client = as_player(
            Player.objects.create_user("Bea", password=PASSWORD), enforce_csrf_checks=True
        )
        answers = {path: client.post(path).status_code for path, _ in ADDRESSES}
        assert set(answers.values()) <= {403, 404, 405}, answers
        assert list(answers.values()).count(403) > 30
        assert Player.objects.filter(name="Bea", is_active=True).exists()
        assert not Match.objects.exists()

    def test_get_requests_change_nothing(self) -> None:
        """No GET request creates, joins, leaves or deletes anything."""
        bea = Player.objects.create_user("Bea", password=PASSWORD)
        host = create_guest()
        waiting = create_match(creator=host, ruleset=Ruleset(), listed=True)
        client = as_player(bea)
        for path in dict.fromkeys(path for path, _ in ADDRESSES):
            client.get(path)
        client.get(f"/join/{waiting.invite}/")
        assert Match.objects.count() == 1
        assert waiting.seats.filter(player__isnull=True).count() == 1
        assert as_player(bea).get("/data/").status_code == 200


class TestSessions:
    def test_a_planted_session_is_not_kept(self) -> None:
        """Becoming a guest, signing up and logging in each change the session key."""
        client = Client()
        client.session.save()
        keys = [client.cookies["sessionid"].value]
        client.post("/play/")
        keys.append(client.cookies["sessionid"].value)
        fields = {"username": "Bea", "email": "", "password1": PASSWORD}
        client.post("/accounts/signup/", fields)
        keys.append(client.cookies["sessionid"].value)
        client.post("/accounts/logout/")
        client.post("/play/")
        keys.append(client.cookies["sessionid"].value)
        client.post("/accounts/login/", {"login": "Bea", "password": PASSWORD})
        keys.append(client.cookies["sessionid"].value)
        assert len(set(keys)) == 5
        for old in keys[:-1]:
            thief = Client()
            thief.cookies["sessionid"] = old
            assert b"Add a program" not in thief.get("/programs/").content

    def test_an_answer_to_an_ended_session_keeps_the_cookie_of_a_newer_one(self) -> None:
        """It may arrive after the answer to a login in another tab."""
        tab, other = Client(), Client()
        tab.post("/play/")
        other.cookies["sessionid"] = tab.cookies["sessionid"].value
        fields = {"username": "Bea", "email": "", "password1": PASSWORD}
        other.post("/accounts/signup/", fields)
        for answer in (tab.get("/"), tab.post("/ranked/state/")):
            assert "sessionid" not in answer.cookies
            assert "Cookie" in answer.headers["Vary"]
        assert answer.status_code == 401
        assert other.post("/accounts/logout/").cookies["sessionid"]["max-age"] == 0

    def test_an_expired_session_opens_no_page(self) -> None:
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        assert client.get("/data/").status_code == 200
        Session.objects.update(expire_date=datetime.now(UTC) - timedelta(seconds=1))
        assert client.get("/data/").status_code == 302

    def test_a_session_key_from_elsewhere_is_replaced(self) -> None:
        client = Client()
        client.cookies["sessionid"] = "chosen-by-somebody-else"
        client.post("/play/")
        assert client.cookies["sessionid"].value != "chosen-by-somebody-else"

    def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(self) -> None:
        client = Client()
        client.post("/play/")
        cookie = client.cookies["sessionid"]
        assert cookie["httponly"] is True
        assert cookie["samesite"] == "Lax"

    def test_a_new_password_ends_the_other_sessions(self) -> None:
        bea = Player.objects.create_user("Bea", password=PASSWORD)
        desk, phone = as_player(bea), as_player(bea)
        new = "another-nob-5"
        fields = {"oldpassword": PASSWORD, "password1": new, "password2": new}
        assert desk.post("/accounts/password/change/", fields).status_code == 302
        assert phone.get("/data/").status_code == 302


class TestGuests:
    @pytest.mark.parametrize(
        "path", ["email/", "password/set/", "password/change/", "reauthenticate/"]
    )
    def test_a_guest_cannot_set_a_password_or_an_address(self, path: str) -> None:
        """With either they could log in under a name that has not been checked."""
        guest = create_guest()
        client = as_player(guest)
        fields = {"password1": PASSWORD, "password2": PASSWORD, "email": "g@example.org"}
        for answer in (
            client.get(f"/accounts/{path}"),
            client.post(f"/accounts/{path}", fields | {"action_add": ""}),
        ):
            assert answer.status_code == 302
            assert answer.headers["Location"] == f"/accounts/signup/?next=/accounts/{path}"
        guest.refresh_from_db()
        assert not guest.has_usable_password()
        assert guest.email == ""

    def test_a_person_can_open_these_pages(self) -> None:
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        for path in ("email/", "password/change/", "reauthenticate/"):
            assert client.get(f"/accounts/{path}").status_code == 200


class TestOthersMatches:
    def test_primary_keys_are_not_addresses(self) -> None:
        match, _ = make_match()
        client = as_player(create_guest())
        for address in ("/matches/{}/", "/t/{}/", "/join/{}/", "/api/v1/matches/{}"):
            assert client.get(address.format(match.pk)).status_code == 404

    @pytest.mark.parametrize("moves", [60, None])
    def test_a_guessed_private_match_looks_like_a_missing_one(self, moves: int | None) -> None:
        """The answers are identical, word for word."""
        match, people = make_match(target=61)
        play_on(match.public_id, moves=moves)
        nobody = "z" * 10
        routes = [
            path for path, _ in ADDRESSES if SAMPLES["public_id"] in path and "player" not in path
        ]
        asked = [path for path in routes if re.search(r"^/(t|matches|api/v1/matches)/", path)]
        assert len(asked) >= 10
        for client in (Client(), as_player(create_guest(name="Eve"))):
            for path in asked:
                real = client.get(path.replace(SAMPLES["public_id"], match.public_id))
                none = client.get(path.replace(SAMPLES["public_id"], nobody))
                assert real.status_code == none.status_code, path
                told = real.content.decode().replace(match.public_id, nobody)
                if real.status_code == 200 or real.status_code >= 400:
                    assert without_token(told) == without_token(none.content.decode()), path
        assert people[0].name not in Client().get("/").content.decode()

    def test_no_page_reveals_a_private_table(self) -> None:
        match = create_match(creator=create_guest(name="Host"), ruleset=Ruleset())
        client = as_player(create_guest())
        for path, page in crawl(client, "/", "/lobby/"):
            assert match.invite not in page, path
            assert match.public_id not in page, path
        other = quick_match(player=create_guest())
        assert other != match

    def test_the_invitation_to_a_full_match_seats_no_one(self) -> None:
        match, _ = make_match()
        answer = as_player(create_guest()).post(f"/join/{match.invite}/")
        assert answer.status_code == 410
        assert match.seats.count() == 2


def without_token(page: str) -> str:
    """Return a page without its CSRF token, which differs in each answer."""
    return re.sub(r'(csrfmiddlewaretoken" value=")[^"]*', r"\1", page)


class TestStoredText:
    @pytest.fixture
    def hostile(self) -> tuple[Player, Match]:
        """Store names with markup, as if the name checks had failed."""
        bea = Player.objects.create_user("Bea", "bea@example.org", PASSWORD)
        match, (ann, bob) = make_match(target=61)
        match.seats.filter(player=ann).update(player=bea)
        Match.objects.filter(pk=match.pk).update(created_by=bea, watchable=True)
        play_on(match.public_id)
        create_match(creator=bob, ruleset=Ruleset(), listed=True)
        running, _ = make_match()
        running.seats.filter(seat=0).update(player=bea)
        play_on(running.public_id, moves=40)
        create_program(owner=bea, name="Botty")
        create_data_token(player=bea, name=HOSTILE)
        Player.objects.exclude(bot__in=["poppy", "walter"]).update(name=HOSTILE)
        return bea, match

    def test_no_page_treats_a_name_as_markup_or_has_inline_scripts_or_styles(
        self, hostile: tuple[Player, Match]
    ) -> None:
        """A name is no template either."""
        bea, match = hostile
        starts = (
            "/", "/matches/", "/lobby/", "/data/", f"/matches/{match.public_id}/", "/friends/",
            f"/players/{bea.public_id}/", "/programs/", "/ratings/",
        )  # fmt: skip
        named = seen = 0
        for path, page in crawl(as_player(bea), *starts):
            seen += 1
            assert "<script>alert" not in page, path
            assert page.count("alert(1)") == page.count("{{7|add:42}}"), path
            assert not re.search(r"=\s*\"[^\"<>]*<script", page), path
            named += "&lt;script&gt;alert" in page
            for tag in re.findall(r"<script\b[^>]*>", page):
                assert "src=" in tag or 'type="application/json"' in tag, (path, tag)
            assert not re.search(r"<style\b|<[^>]+\sstyle=|<[^>]+\son\w+=|javascript:", page), path
        assert named >= 10
        assert seen > 25


class TestHeaders:
    @pytest.mark.parametrize(
        "path", ["/", "/accounts/login/", "/api/v1/", "/api/v1/openapi.json", "/nowhere/"]
    )
    def test_every_answer_has_the_security_headers(self, path: str) -> None:
        headers = Client().get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'self'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert {"camera=()", "geolocation=()"} <= set(headers["Permissions-Policy"].split(", "))

    def test_pages_with_secrets_are_not_cached(self) -> None:
        client = as_player(Player.objects.create_user("Bea", password=PASSWORD))
        for path in ("/data/", "/programs/", "/data/delete/"):
            assert "no-store" in client.get(path).headers["Cache-Control"]


class TestReporting:
    def test_security_txt_names_the_contact_and_expires_within_a_year(
        self, settings: Settings
    ) -> None:
        settings.SECURITY_CONTACT = "mailto:safe@cribbage.example"
        answer = Client().get("/.well-known/security.txt")
        assert answer["Content-Type"].startswith("text/plain")
        fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
        assert fields["Contact"] == "mailto:safe@cribbage.example"
        assert fields["Canonical"].endswith("/.well-known/security.txt")
        until = datetime.fromisoformat(fields["Expires"]) - datetime.now(UTC)
        assert timedelta(0) < until < timedelta(days=365)

    def test_without_a_contact_there_is_no_security_txt(self) -> None:
        assert Client().get("/.well-known/security.txt").status_code == 404


class TestRedirects:
    @pytest.mark.parametrize("target", ELSEWHERE)
    def test_no_redirect_leads_to_another_site(self, target: str) -> None:
        Player.objects.create_user("Bea", password=PASSWORD)
        client = Client()
        fields = {"login": "Bea", "password": PASSWORD, "next": target}
        answers = [client.post("/accounts/login/", fields)]
        answers.append(client.get("/accounts/login/", {"next": target}))
        answers.append(client.post("/accounts/logout/", {"next": target}))
        signing_up = {"username": "Cy", "email": "", "password1": PASSWORD, "next": target}
        answers.append(client.post("/accounts/signup/", signing_up))
        other = create_guest()
        asked = {"player": other.public_id, "next": target}
        pages = ("/friends/ask/", f"/friends/{other.public_id}/block/")
        answers += [client.post(path, asked) for path in pages]
        sent = [answer.headers["Location"] for answer in answers if answer.status_code == 302]
        assert len(sent) == 6
        assert [to for to in sent if "evil" in to or "script" in to] == []

    def test_a_mail_never_leads_to_another_site(self, settings: Settings) -> None:
        """The client that asks for a new password chooses the host and the port of its request."""
        settings.ALLOWED_HOSTS = ["testserver", "other.example"]
        Player.objects.create_user("Bea", "bea@example.org", PASSWORD)
        asked = {"email": "bea@example.org"}
        forged = Client().post("/accounts/password/reset/", asked, headers={"host": "evil.example"})
        assert forged.status_code == 400
        assert not QueuedMail.objects.exists()
        believed = {"x-forwarded-host": "evil.example"}
        chosen = [believed, {"host": "testserver:8443"}, {"host": "other.example"}]
        for headers in chosen:
            Client().post("/accounts/password/reset/", asked, headers=headers)
        work_off()
        assert len(mail.outbox) == len(chosen)
        for letter in mail.outbox:
            hosts = set(re.findall(r"https?://[^/\s\"<]+", letter.message().as_string()))
            assert hosts == {settings.SITE_URL}
