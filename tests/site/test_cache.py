"""The shared cache acts as an empty cache while Redis is down."""

import pytest

from cribbage_site.cache import TolerantRedisCache
from tests.support.data_servers import Redis


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
    with pytest.raises(ValueError, match="not there"):
        cache.incr("a")
    assert cache.get_many(["a"]) == {}
    assert cache.delete("a") is False

    redis_server.start()
    cache.set("a", 4)
    assert cache.get("a") == 4
