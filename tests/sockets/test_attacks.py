"""Attacks over a websocket, byte by byte, on real servers; an honest player notices nothing."""

from __future__ import annotations

import asyncio
import socket
import struct
import zlib

import pytest

from tests.support.clients import Client
from tests.support.data_servers import HOST
from tests.support.servers import Site, StartSite
from tests.support.tables import Table, make_tables, wish
from tests.support.waiting import DEADLINE

DEEP = (
    "[" * 2000,
    '{"t":"play","d":' * 120 + "1" + "}" * 120,
    '{"t":"play","d":' + "[" * 900 + "]" * 900 + ',"id":"a"}',
)
"""JSON nested as deeply as a frame can hold it: treated like any bad message."""

TEN_MEGABYTES = 10 * 1024 * 1024


def bomb() -> bytes:
    """Return ten megabytes of spaces compressed by permessage-deflate to about ten kilobytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b" " * TEN_MEGABYTES) + packer.flush(zlib.Z_SYNC_FLUSH)
    return packed.removesuffix(b"\x00\x00\xff\xff")


def frame(first: int, payload: bytes, *, announced: int | None = None) -> bytes:
    """Return a client's frame, masked with zeros; its announced length may be wrong."""
    length = len(payload) if announced is None else announced
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 65536:
        head = bytes([first, 0xFE]) + struct.pack("!H", length)
    else:
        head = bytes([first, 0xFF]) + struct.pack("!Q", length)
    return head + bytes(4) + payload


FLOODS = {
    "messages": (b"", frame(0x81, b'{"t":"ping"}')),
    "pings, which the server answers by itself": (b"", frame(0x89, b"")),
    "parts of a message without end": (frame(0x01, b""), frame(0x00, b"")),
}
"""What is sent first, and then endlessly."""

ENOUGH = 8 * 1024 * 1024
"""Bytes; the kernels buffer less than this for a connection that is not read."""


def opening_of(site: Site, table: Table, *more: str) -> bytes:
    """Return a websocket's opening handshake for the player in the second seat."""
    lines = [
        f"GET /ws/t/{table.match}/ HTTP/1.1",
        f"Host: {HOST}:{site.port}",
        f"Origin: {site.url}",
        f"Cookie: sessionid={table.cookies[1]}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        *more,
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def flood(site: Site, table: Table, first: bytes, piece: bytes) -> None:
    """Send at full speed, reading nothing, until the server closes the connection."""
    with socket.create_connection((HOST, site.port), timeout=DEADLINE) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        line.sendall(opening_of(site, table))
        assert line.recv(4096).startswith(b"HTTP/1.1 101")
        sent, pieces = 0, piece * 10_000
        try:
            line.sendall(frame(0x81, b'{"t":"hello","d":{"v":null}}') + first)
            while sent < ENOUGH:
                sent += line.send(pieces)
        except ConnectionError:
            return
    raise AssertionError("the flood was not stopped")


async def attack(site: Site, table: Table, data: bytes) -> tuple[str, bytes]:
    """Connect, offer compression, send bytes; return the server's handshake and what follows."""
    reader, writer = await asyncio.open_connection(HOST, site.port)
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    writer.write(opening_of(site, table, offer))
    opening = (await reader.readuntil(b"\r\n\r\n")).decode()
    writer.write(data)
    said = b""
    try:
        async with asyncio.timeout(DEADLINE):
            while part := await reader.read(65536):
                said += part
    except ConnectionError:
        pass
    writer.close()
    return opening, said


def close_code(said: bytes) -> int | None:
    """Return the code of the close frame at the end of a server's data; None without one."""
    for length in range(2, 126):
        at = len(said) - 2 - length
        if at >= 0 and said[at] == 0x88 and said[at + 1] == length:
            return int(struct.unpack("!H", said[at + 2 : at + 4])[0])
    return None


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_malformed_bytes_end_only_the_attackers_connection(
    start_site: StartSite, server: str
) -> None:
    """Compression bombs, invalid text, oversized frames: closed with the code for it."""
    site = start_site(server=server)
    (table,) = make_tables(site.database_url, wish())
    attacks = {
        # Compression was not negotiated, so a compressed message violates the protocol.
        "bomb": (frame(0xC1, bomb()), {1002}),
        "invalid UTF-8": (frame(0x81, b'{"t":"ping","id":"\xff\xfe"}'), {1007}),
        "a surrogate": (frame(0x81, b'{"t":"ping","id":"\xed\xa0\x80"}'), {1007}),
        "ten megabytes": (frame(0x81, b" " * 4096, announced=TEN_MEGABYTES), {1009, 1002}),
        "a control frame in parts": (frame(0x09, b"x"), {1002}),
    }

    async def session() -> None:
        async with Client(site.socket_url, table.match, table.cookies[0]) as honest:
            await honest.hear_view()
            for name, (data, codes) in attacks.items():
                opening, said = await attack(site, table, data)
                assert opening.startswith("HTTP/1.1 101"), name
                assert "permessage-deflate" not in opening, name
                # Daphne drops protocol violators without a close frame.
                assert close_code(said) in codes | {None}, (name, close_code(said))
                assert b"pong" not in said, name
            for text in DEEP:
                await honest.socket.send(text)
                assert await honest.refusal() in {"malformed", "too_long"}
            await honest.send("ping")
            await honest.hear_until(lambda m: m["t"] == "pong")

    asyncio.run(session())


@pytest.mark.parametrize("server", ["daphne", "uvicorn"])
def test_a_nonstop_sender_is_disconnected_and_others_play_on(
    start_site: StartSite, server: str
) -> None:
    """Small frames at full speed, including kinds that never reach the application."""
    site = start_site(server=server, extra={"COMPUTER_PAUSE_MS": "0"})
    flooded, other = make_tables(site.database_url, wish(), wish(target=61, computers=(1,)))

    async def session() -> None:
        async with Client(site.socket_url, other.match, other.cookies[0]) as honest:
            await asyncio.gather(
                *(asyncio.to_thread(flood, site, flooded, *pair) for pair in FLOODS.values()),
                honest.play(until=lambda: len(honest.acknowledged) >= 3),
            )
            await honest.send("ping")
            await honest.hear_until(lambda m: m["t"] == "pong")

    asyncio.run(session())
