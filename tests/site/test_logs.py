"""Log lines name match and player, and never contain cards."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import IntegrityError, OperationalError
from django.test import Client as HttpClient

from cribbage_site import logs
from cribbage_site.logs import (
    CutOffsOnce,
    Json,
    Line,
    OutagesBriefly,
    RefusalsWithoutTrace,
    without_cards,
)
from cribbage_site.sentry import before_send
from games.engine.cards import NAMES
from games.engine.illegal import IllegalMove
from games.ops import log_context
from tests.support.clients import Client, play_match
from tests.support.servers import ROOT, StartSite
from tests.support.tables import make_tables, wish

ANY_CARD = re.compile(r"(?<![A-Za-z0-9])(?:[A2-9TJQK][CDHS])+(?![A-Za-z0-9])")


def record(message: str, *values: object, error: Exception | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("games.x", logging.ERROR, __file__, 1, message, values, info)


@pytest.mark.parametrize("card", NAMES)
def test_every_card_is_redacted(card: str) -> None:
    assert without_cards(f"0 play {card} 2") == "0 play [card] 2"
    assert without_cards(f"- deal {card}TD,{card} ('{card}',)").count("[card]") == 3


@pytest.mark.parametrize(
    "text", ["match c7k2mxq4tz", "player 2h5dqsw3xt", "HTTP/1.1 4403", "ASGI 5 seconds", "THE 10"]
)
def test_other_text_is_unchanged(text: str) -> None:
    assert without_cards(text) == text


class TestWhileTheDatabaseIsAway:
    """Each loop of a process fails for as long: its first line says what there is to say."""

    @pytest.fixture
    def now(self, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        seconds = [0.0]
        monkeypatch.setattr(logs, "time", SimpleNamespace(monotonic=lambda: seconds[0]))
        return seconds

    def test_a_kind_of_line_is_logged_once_a_minute_without_a_traceback(
        self, now: list[float]
    ) -> None:
        outages, kept = OutagesBriefly(), []
        for now[0] in range(150):
            failed = record("the clock of %s", "b", error=OperationalError("refused\nPort 5432?"))
            other = record("%s: retrying: %s", "lookups", OperationalError("refused"))
            kept += [Line().format(each) for each in (failed, other) if outages.filter(each)]
        texts = [text.partition("games.x: ")[2] for text in kept]
        first = ["the clock of b (OperationalError: refused)", "lookups: retrying: refused"]
        assert texts == first * 3

    def test_the_lines_of_the_connections_are_limited_too(self, now: list[float]) -> None:
        outages, lines = OutagesBriefly(), [record("error connecting") for _ in range(3)]
        for each in lines:
            each.name = logs.POOL
        assert [outages.filter(each) for each in lines] == [True, False, False]

    def test_other_errors_keep_their_tracebacks(self, now: list[float]) -> None:
        outages = OutagesBriefly()
        for error in (ValueError("bad"), IntegrityError("twice")):
            for _ in range(2):
                failed = record("a round failed", error=error)
                assert outages.filter(failed)
                assert failed.exc_info is not None


@pytest.mark.parametrize("formatter", [Json(), Line()])
def test_cards_in_messages_errors_and_tracebacks_are_redacted(
    formatter: logging.Formatter,
) -> None:
    try:
        raise IllegalMove("not_your_card", cards="5H", held="AS TDJC")
    except IllegalMove as illegal:
        text = formatter.format(record("0 discard %s, the five of hearts", "5HTD", error=illegal))
    assert not ANY_CARD.search(text)
    assert "hearts" not in text
    assert "not held" in text


@pytest.mark.parametrize(("level", "traced"), [(logging.WARNING, False), (logging.ERROR, True)])
def test_a_request_that_was_refused_has_no_traceback(level: int, traced: bool) -> None:
    """Anyone can send a request that is refused, and fill the log with tracebacks."""
    try:
        raise PermissionError
    except PermissionError as error:
        told = record("Forbidden: %s", "/tournaments/x/board/", error=error)
    told.name, told.levelno = "django.request", level
    assert RefusalsWithoutTrace().filter(told)
    assert ("Traceback" in Line().format(told)) == traced
    assert settings.LOGGING["handlers"]["console"]["filters"] == ["refusals", "outages", "cut-offs"]


def test_a_request_for_another_host_is_one_line(
    client: HttpClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Scanners send many."""
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400
    (told,) = caplog.records
    assert RefusalsWithoutTrace().filter(told)
    line = Line().format(told)
    assert "'elsewhere.example'" in line and "\n" not in line


@pytest.mark.parametrize(
    ("level", "lines"),
    [("DEBUG", ["games 10", "games 30", "numba 30"]), ("INFO", ["games 30", "numba 30"]),
     ("ERROR", [])],
)  # fmt: skip
def test_libraries_do_not_fill_the_log_at_the_debug_level(level: str, lines: list[str]) -> None:
    code = """
import django, logging
django.setup()
for name in ("games.x", "numba.core.ssa"):
    for level in (logging.DEBUG, logging.WARNING):
        logging.getLogger(name).log(level, "%s %d", name.partition(".")[0], level)
"""
    told = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "cribbage_site.settings", "LOG_LEVEL": level},
        check=True,
        capture_output=True,
        text=True,
    ).stderr
    assert re.findall(r": (\w+ \d+)$", told, re.MULTILINE) == lines


@pytest.mark.django_db
def test_a_request_with_too_many_fields_has_no_traceback(
    client: HttpClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Django logs suspicious requests as errors, and anyone can send those, too."""
    client.raise_request_exception = False
    assert client.get("/?" + "a=1&" * 1100).status_code == 400
    [told] = [one for one in caplog.records if one.name.startswith("django.security")]
    assert RefusalsWithoutTrace().filter(told)
    assert "Traceback" not in Line().format(told)


def test_each_connection_that_daphne_cuts_off_is_logged_once() -> None:
    """Daphne tries each second while a move is being stored, which is not cancelled."""
    cut_offs, kept = CutOffsOnce(), []
    loop = asyncio.new_event_loop()
    applications = [loop.create_future() for _ in range(2)]
    for _ in range(3):
        for each in applications:
            told = record("%r for connection %s was killed.", each, "a socket")
            other = record("%r is slow", each)
            told.name = "daphne.server"
            kept += [one for one in (told, other) if cut_offs.filter(one)]
    loop.close()
    assert [one.name for one in kept].count("daphne.server") == len(applications)
    assert len(kept) == 8


def test_json_lines_name_the_tasks_match_and_player() -> None:
    async def task() -> str:
        log_context.bind(match="c7k2mxq4tz", player="b4d8kq2wzr")
        return Json().format(record("something at %d", 5))

    said = json.loads(asyncio.run(task()))
    assert (said["match"], said["player"]) == ("c7k2mxq4tz", "b4d8kq2wzr")
    assert (said["level"], said["logger"], said["message"]) == (
        "ERROR",
        "games.x",
        "something at 5",
    )
    assert "match" not in json.loads(Json().format(record("elsewhere")))


def test_text_lines_name_the_tasks_match() -> None:
    async def task() -> str:
        log_context.bind(match="c7k2mxq4tz")
        return Line().format(record("something"))

    assert asyncio.run(task()).endswith("games.x: something [match c7k2mxq4tz]")


def test_a_sentry_report_has_no_cards_cookies_or_query() -> None:
    event = {
        "message": "5H is not held",
        "exception": {"values": [{"value": "the hand is AS TDJC"}]},
        "request": {"url": "/t/x/", "cookies": {"a": 1}, "headers": {"b": 2}, "query_string": "c"},
    }
    said = json.dumps(before_send(event, {}))
    assert not ANY_CARD.search(said)
    assert json.loads(said)["request"] == {"url": "/t/x/"}


@pytest.mark.django_db
def test_a_suspicious_request_is_not_reported_to_sentry(
    client: HttpClient, caplog: pytest.LogCaptureFixture
) -> None:
    """Django logs it as an error, and anyone can send many."""
    client.raise_request_exception = False
    client.get("/?" + "a=1&" * 1100)
    logging.getLogger("games.x").error("a fault")
    errors = [one.name for one in caplog.records if one.levelno >= logging.ERROR]
    assert len(errors) == 2
    reported = [name for name in errors if before_send({"logger": name}, {}) is not None]
    assert reported == ["games.x"]


@pytest.mark.slow
def test_whole_games_with_errors_leave_no_cards_in_the_log(start_site: StartSite) -> None:
    """At the DEBUG level, including clients' mistakes."""
    extra = {"LOG_LEVEL": "DEBUG", "LOG_FORMAT": "json", "COMPUTER_PAUSE_MS": "0"}
    site = start_site(extra={**extra, "SOCKET_RATE": "1000"})
    pair, alone = make_tables(
        site.database_url,
        wish(target=61),
        wish(target=61, computers=(1,), counting="manual", muggins=True),
    )

    async def session() -> None:
        ann, bob = (Client(site.socket_url, pair.match, cookie) for cookie in pair.cookies)
        async with ann:
            await ann.hear_view()
            await ann.act("play", {"card": "5H"})
            await ann.act("discard", {"cards": ["5H", "5H"]})
            await ann.socket.send("5H {")
            await ann.see(lambda: len(ann.refused) >= 2)
        await play_match(ann, bob)
        await play_match(Client(site.socket_url, alone.match, alone.cookies[0]))

    asyncio.run(session())
    site.stop()
    text = site.log.read_text()
    assert not ANY_CARD.search(text)
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    about = {(line.get("match"), bool(line.get("player"))) for line in lines}
    assert (pair.match, True) in about
