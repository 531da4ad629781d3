"""Rate limits on costly actions; a refusal says when to try again."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache.backends.redis import RedisCache
from django.http import HttpRequest
from django.test import Client, RequestFactory
from redis import exceptions

from cribbage_site.cache import TolerantRedisCache
from games.models import Match, Player
from games.people import limits
from games.people.accounts import GUEST_BACKEND, AccountAdapter, create_guest
from games.people.limits import Limit, TooOften, consume
from tests.support.servers import ROOT

pytestmark = pytest.mark.django_db

PASSWORD = "fifteen-two-4"


def times_out(*_: object) -> object:
    raise exceptions.TimeoutError("Timeout reading from socket")


AWAY = "redis://127.0.0.1:1/0"


# IPv6 addresses of the same /64 network count together, those of another do not.
@pytest.mark.parametrize(
    ("client", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
    ],
)
def test_ipv6_addresses_are_counted_by_network(client: str, counted: str) -> None:
    assert limits.address(RequestFactory().get("/", REMOTE_ADDR=client)) == counted


@pytest.fixture
def allow(settings: Any) -> Callable[..., None]:
    """Give a function that sets limits for this test."""

    def set_limits(**wanted: tuple[int, int]) -> None:
        settings.LIMITS = settings.LIMITS | wanted

    return set_limits


class TestCounting:
    def test_a_limit_counts_per_window_and_key(self, limit_clock: list[float]) -> None:
        twice = Limit("test", 2, 60)
        limit_clock[0] = 60_000.0 + 45
        consume(twice, "ann")
        consume(twice, "ann")
        with pytest.raises(TooOften) as refusal:
            consume(twice, "ann")
        assert refusal.value.wait == 15
        assert refusal.value.message == "You're going too fast. Try again in 15 seconds."
        consume(twice, "bob")
        limit_clock[0] += 15
        consume(twice, "ann")

    def test_a_long_wait_is_given_in_minutes(self, limit_clock: list[float]) -> None:
        once = Limit("test", 1, 3600)
        limit_clock[0] = 3600.0 * 100
        consume(once, "ann")
        with pytest.raises(TooOften) as refusal:
            consume(once, "ann")
        assert refusal.value.message == "You're going too fast. Try again in 60 minutes."

    def test_zero_means_no_limit(self) -> None:
        for _ in range(50):
            consume(Limit("test", 0, 60), "ann")

    def test_only_who_goes_too_fast_is_refused_while_the_shared_cache_is_down(
        self, settings: Any
    ) -> None:
        settings.CACHES = {
            "default": {"BACKEND": "cribbage_site.cache.TolerantRedisCache", "LOCATION": AWAY}
        }
        for who in ("ann", "bob"):
            consume(Limit("test", 1, 60), who)
            with pytest.raises(TooOften):
                consume(Limit("test", 1, 60), who)

    def test_processes_that_share_a_cache_count_together(
        self, redis_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Each process has its own connection to one Redis."""
        twice = Limit("test", 2, 3600)
        for _ in range(2):
            monkeypatch.setattr(limits, "cache", TolerantRedisCache(redis_url, {}))
            consume(twice, "ann")
        monkeypatch.setattr(limits, "cache", TolerantRedisCache(redis_url, {}))
        with pytest.raises(TooOften):
            consume(twice, "ann")


class TestGuestsAndMatches:
    def test_guests_are_limited_per_address(self, allow: Callable[..., None]) -> None:
        allow(guests=(2, 3600))
        found = [Client().post("/play/").status_code for _ in range(3)]
        assert found == [302, 302, 429]
        assert Player.objects.filter(kind="guest").count() == 2
        assert Client(REMOTE_ADDR="192.0.2.9").post("/play/").status_code == 302

    def test_an_existing_guest_is_not_counted_again(self, allow: Callable[..., None]) -> None:
        allow(guests=(1, 3600))
        client = Client()
        assert [client.post("/play/").status_code for _ in range(3)] == [302] * 3

    @pytest.mark.parametrize("path", ["/play/", "/invite/", "/open/", "/quick/"])
    def test_matches_are_limited_per_player(self, path: str, allow: Callable[..., None]) -> None:
        allow(matches=(1, 3600))
        client = Client()
        client.force_login(create_guest(), backend=GUEST_BACKEND)
        assert client.post(path).status_code == 302
        refused = client.post(path)
        assert refused.status_code == 429
        assert 0 < int(refused.headers["Retry-After"]) <= 3600
        assert "Try again in" in refused.content.decode()
        assert Match.objects.count() == 1

    @pytest.mark.parametrize(
        "path", ["/challenge/make/", "/daily/play/", "/ranked/enter/", "/ranked/computer/"]
    )
    def test_standard_games_count_towards_the_match_limit(
        self, path: str, allow: Callable[..., None]
    ) -> None:
        allow(matches=(1, 3600))
        player = create_guest()
        consume(limits.named("matches"), str(player.pk))
        client = Client()
        client.force_login(player, backend=GUEST_BACKEND)
        assert client.post(path).status_code == 429


class TestBehindAProxy:
    @pytest.mark.parametrize(
        ("environment", "believed"),
        [
            ({}, 0),
            ({"BEHIND_PROXY": "1"}, 1),
            ({"BEHIND_PROXY": "1", "TRUSTED_PROXIES": "2"}, 2),
        ],
    )
    def test_only_configured_proxies_are_trusted(
        self, environment: dict[str, str], believed: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        read = runpy.run_path(str(ROOT / "cribbage_site" / "settings.py"))
        assert read["ALLAUTH_TRUSTED_PROXY_COUNT"] == believed

    def test_the_visitors_address_comes_from_the_sites_own_proxy(
        self, allow: Callable[..., None], settings: Any
    ) -> None:
        """Otherwise all visitors would share the proxy's address and its limit."""
        allow(guests=(1, 3600))
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
        for visitor in ("192.0.2.1", "192.0.2.2"):
            headers = {"x-forwarded-for": visitor}
            assert Client().post("/play/", headers=headers).status_code == 302
            assert Client().post("/play/", headers=headers).status_code == 429

    def test_a_forwarded_address_from_a_visitor_is_ignored(
        self, allow: Callable[..., None], settings: Any
    ) -> None:
        allow(guests=(1, 3600))
        for trusted, said in ((0, "203.0.113.{}"), (1, "203.0.113.{}, 192.0.2.1")):
            settings.ALLAUTH_TRUSTED_PROXY_COUNT = trusted
            found = [
                Client().post("/play/", headers={"x-forwarded-for": said.format(n)}).status_code
                for n in range(3)
            ]
            assert found == [302, 429, 429]


class TestLogIn:
    def log_in(self, password: str, *, address: str = "127.0.0.1", name: str = "Bea") -> Client:
        client = Client(REMOTE_ADDR=address)
        client.post("/accounts/login/", {"login": name, "password": password})
        return client

    def test_five_wrong_passwords_from_any_addresses_lock_an_account(self) -> None:
        Player.objects.create_user("Bea", password=PASSWORD)
        for n in range(5):
            self.log_in("wrong", address=f"192.0.2.{n}")
        assert "_auth_user_id" not in self.log_in(PASSWORD, address="192.0.2.77").session

    def test_they_count_together_whatever_port_the_requests_name(self) -> None:
        Player.objects.create_user("Bea", password=PASSWORD)
        for n in range(5):
            Client(REMOTE_ADDR=f"192.0.2.{n}", headers={"host": f"testserver:{n + 1}"}).post(
                "/accounts/login/", {"login": "Bea", "password": "wrong"}
            )
        assert "_auth_user_id" not in self.log_in(PASSWORD, address="192.0.2.77").session

    def test_they_count_together_however_a_name_that_the_database_finds_is_spelled(self) -> None:
        """PostgreSQL compares names in capitals, by the rules of Unicode."""
        for spelling in ("iris", "IRIS", "\u0131r\u0131s"):
            key = AccountAdapter()._get_login_attempts_cache_key(HttpRequest(), username=spelling)
            assert key == "login:IRIS"

    def test_ten_wrong_passwords_for_any_accounts_block_an_address(self) -> None:
        Player.objects.create_user("Bea", password=PASSWORD)
        for n in range(10):
            self.log_in("wrong", name=f"Nobody{n}")
        assert "_auth_user_id" not in self.log_in(PASSWORD).session
        assert "_auth_user_id" in self.log_in(PASSWORD, address="192.0.2.77").session

    def test_the_admin_uses_the_sites_log_in(self) -> None:
        """Otherwise it would be a second log-in without a limit."""
        answer = Client().post("/admin/login/", {"username": "Bea", "password": "wrong"})
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/login/")

    def test_logging_in_works_while_the_shared_cache_is_down(self, settings: Any) -> None:
        settings.CACHES = {
            "default": {"BACKEND": "cribbage_site.cache.TolerantRedisCache", "LOCATION": AWAY}
        }
        Player.objects.create_user("Bea", password=PASSWORD)
        assert "_auth_user_id" in self.log_in(PASSWORD).session

    def test_wrong_passwords_lock_an_account_while_the_shared_cache_is_down(
        self, settings: Any
    ) -> None:
        """Each process goes on counting: else a Redis that hangs would allow any number."""
        settings.CACHES = {
            "default": {"BACKEND": "cribbage_site.cache.TolerantRedisCache", "LOCATION": AWAY}
        }
        Player.objects.create_user("Cleo", password=PASSWORD)
        for n in range(5):
            self.log_in("wrong", address=f"192.0.2.{n}", name="Cleo")
        late = self.log_in(PASSWORD, address="192.0.2.77", name="Cleo")
        assert "_auth_user_id" not in late.session

    def test_an_answer_of_the_shared_cache_that_is_missed_forgets_no_wrong_password(
        self, settings: Any, redis_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.CACHES = {
            "default": {"BACKEND": "cribbage_site.cache.TolerantRedisCache", "LOCATION": redis_url}
        }
        Player.objects.create_user("Dora", password=PASSWORD)
        for n in range(6):
            with monkeypatch.context() as late:
                if n == 4:
                    late.setattr(RedisCache, "get", times_out)
                self.log_in("wrong", address=f"192.0.2.{n}", name="Dora")
        late_one = self.log_in(PASSWORD, address="192.0.2.77", name="Dora")
        assert "_auth_user_id" not in late_one.session

    def test_sign_up_is_limited_by_address(self) -> None:
        found = []
        for n in range(21):
            fields = {"username": f"Person {n}", "email": "", "password1": "short"}
            found.append(Client().post("/accounts/signup/", fields).status_code)
        assert found == [200] * 20 + [429]
