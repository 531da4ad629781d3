"""The shared cache acts as an empty cache while Redis is down."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import redis
from django.core.cache.backends.redis import RedisCache
from redis import exceptions

from cribbage_site import cache as cache_module
from cribbage_site.cache import TolerantRedisCache
from games.people import limits
from games.people.limits import Limit, TooOften
from tests.support.data_servers import Redis
from tests.support.waiting import DEADLINE

TIMEOUT = 0.4
"""Seconds for which a test lets its cache wait for Redis."""


def test_it_works_like_a_normal_cache(redis_server: Redis) -> None:
    cache = TolerantRedisCache(redis_server.url, {})
    cache.set("a", 1)
    assert cache.add("a", 2) is False
    assert cache.get("a") == 1
    assert cache.get_many(["a", "b"]) == {"a": 1}
    assert cache.incr("a") == 2
    assert cache.delete("a") is True
    with pytest.raises(ValueError, match="not found"):
        cache.incr("a")


def test_a_dead_redis_is_an_empty_cache(redis_server: Redis) -> None:
    cache = TolerantRedisCache(redis_server.url, {})
    cache.set("a", 1)
    redis_server.kill()
    cache.set("a", 2)
    assert cache.get("a", "nothing") == "nothing"
    assert cache.add("a", 3) is True
    with pytest.raises(ValueError, match="not found"):
        cache.incr("a")
    assert cache.get_many(["a"]) == {}
    assert cache.delete("a") is False

    redis_server.start()
    cache.set("a", 4)
    assert cache.get("a") == 4


def test_a_process_counts_for_itself_while_redis_is_away(
    redis_server: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise whoever can overload Redis can do anything any number of times."""
    monkeypatch.setattr(limits, "cache", TolerantRedisCache(redis_server.url, {}))
    limit = Limit("tries", 3, 60)
    limits.consume(limit, "ann")
    redis_server.kill()
    for who in ("ann", "bob"):
        for _ in range(3):
            limits.consume(limit, who)
        with pytest.raises(TooOften):
            limits.consume(limit, who)
    redis_server.start()
    limits.consume(limit, "ann")


@pytest.mark.parametrize("kind", [cache_module.COUNTED, cache_module.LIMITED] * 2)
def test_no_test_finds_what_another_has_counted(kind: str) -> None:
    assert cache_module._spare(kind).add(kind, 1)


def test_a_process_forgets_a_limit_that_another_one_has_lifted(redis_server: Redis) -> None:
    """As after a new password: else its copy would refuse the player while Redis is down."""
    cache, key = TolerantRedisCache(redis_server.url, {}), f"{cache_module.COUNTED}lifted"
    cache.set(key, [5.0, 4.0])
    with redis.Redis.from_url(redis_server.url) as server:
        server.flushall()
    assert cache.get(key, []) == []
    redis_server.kill()
    assert cache.get(key, []) == []


def test_what_redis_stores_too_late_to_answer_is_not_stored_a_second_time(
    redis_server: Redis,
) -> None:
    """A code would count as used, a lock as taken, and a new guest as the second of two clicks."""
    cache = TolerantRedisCache(redis_server.url, {"OPTIONS": {"socket_timeout": TIMEOUT}})
    cache.set("connected", 1)
    os.kill(redis_server.pid, signal.SIGSTOP)
    with ThreadPoolExecutor() as pool:
        added = pool.submit(cache.add, "a", 1)
        time.sleep(1.5 * TIMEOUT)  # in the middle of a second try, if there was one
        os.kill(redis_server.pid, signal.SIGCONT)
        assert added.result(DEADLINE) is True


def test_a_hanging_redis_is_asked_twice_and_then_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, now = [], [1000.0]

    def hangs(_self: RedisCache, key: str, *_rest: object) -> str:
        asked.append(key)
        if key == "answered":
            return "yes"
        raise exceptions.TimeoutError("Timeout reading from socket")

    monkeypatch.setattr(RedisCache, "get", hangs)
    monkeypatch.setattr(cache_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(TolerantRedisCache, "_paused_until", 0.0)
    monkeypatch.setattr(TolerantRedisCache, "_unanswered", 0)
    cache = TolerantRedisCache("redis://127.0.0.1:1", {})
    found = [cache.get(key, "nothing") for key in ("slow", "answered", "a", "b", "c", "answered")]
    assert found == ["nothing", "yes", *["nothing"] * 4]
    assert cache.add("d", 1) is True
    assert asked == ["slow", "answered", "a", "b"]
    now[0] += cache_module.PAUSE
    for key in ("e", "f"):  # one is enough now
        cache.get(key)
    assert asked[4:] == ["e"]
