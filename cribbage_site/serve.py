"""The server of `make run`: one process that migrates the database, listens, prints its address.

    python -m cribbage_site.serve

PORT and BIND come from the environment (default 8000 and 127.0.0.1). A deployment runs
`daphne cribbage_site.asgi:application` directly, and migrates separately.
"""

import errno
import logging
import os
import signal
import socket
import sys
from types import FrameType

from cribbage_site import local

BACKLOG_OF_SOCKETS = 1024

PING_INTERVAL = 12
PING_TIMEOUT = 10
"""Seconds without a message after which Daphne sends a ping, and within which it is answered.

When Daphne sends the next ping, it forgets the time limit of the last one, which no answer can then
cancel. So the limit has to be the shorter of the two.
"""


class CannotServe(Exception):
    """The reason why the server cannot start, in one line that a newcomer understands."""


def wanted_address() -> tuple[str, int]:
    """Return the configured address and port; raise CannotServe if the port is invalid."""
    bind = os.environ.get("BIND", "").strip() or "127.0.0.1"
    port = os.environ.get("PORT", "").strip() or "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CannotServe(f"PORT={port} is not a port number (1 to 65535).")
    return bind, int(port)


def claim(bind: str, port: int) -> socket.socket:
    """Return a listening socket; raise CannotServe if the address or port is not available.

    The port is claimed before anything else, so that a second server fails at once and does not
    touch the first one's database.
    """
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((bind, port))
        listener.listen(BACKLOG_OF_SOCKETS)
    except OSError as error:
        listener.close()
        raise CannotServe(_reason(error, bind, port)) from error
    return listener


def _reason(error: OSError, bind: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken by another program. Use another: PORT={port + 1} make run"
    if error.errno == errno.EACCES:
        return f"you have no permission for port {port}. Use another: PORT=8000 make run"
    return f"cannot listen on {bind} port {port}: {error.strerror or error}"


def prepare() -> None:
    """Load the site and migrate its database; raise CannotServe if that fails.

    Each step is announced before it begins: the first start takes seconds, and on a slow machine
    half a minute.
    """
    print("Starting Cribbage ...", flush=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import OperationalError, connection
    from django.db.migrations.executor import MigrationExecutor

    try:
        django.setup()
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            new = not executor.loader.applied_migrations
            print("Creating the database ..." if new else "Updating the database ...", flush=True)
        call_command("migrate", verbosity=0, interactive=False)
        connection.close()
    except ImproperlyConfigured as error:
        raise CannotServe(str(error)) from error
    except OperationalError as error:
        raise CannotServe(f"the database cannot be used: {str(error).strip()}") from error


def greet(bind: str, port: int) -> None:
    """Print the site's address for this machine, and for others if they can reach it."""
    lines = [f"Cribbage is ready: http://localhost:{port}   (Ctrl-C stops it)"]
    if bind in local.EVERY_INTERFACE:
        address = local.network_address()
        if address:
            lines.append(f"On the same network: http://{address}:{port}")
    print("\n".join(lines), flush=True)


def serve(listener: socket.socket, bind: str, port: int) -> None:
    """Run Daphne on a listening socket until interrupted."""
    from daphne.server import Server

    from cribbage_site.asgi import application
    from games.live import jit_warmup

    def ready() -> None:
        greet(bind, port)
        jit_warmup.start()

    # Twisted reports each start and stop of a listener; the greeting replaces that.
    logging.getLogger("daphne").setLevel(logging.WARNING)
    server = Server(
        application=application,
        endpoints=[f"fd:fileno={listener.fileno()}"],
        signal_handlers=True,
        ready_callable=ready,
        action_logger=None,
        server_name="cribbage",
        # The sockets refuse messages over their own, lower limit; over this one Daphne disconnects.
        websocket_max_message_size=64 * 1024,
        websocket_max_frame_size=64 * 1024,
        # By default a handshake that takes five seconds fails, as many do after a restart.
        websocket_handshake_timeout=20,
        websocket_connect_timeout=20,
        ping_interval=PING_INTERVAL,
        ping_timeout=PING_TIMEOUT,
    )
    if signal.getsignal(signal.SIGINT) is _stop_early:
        # Twisted takes the signal over only from Python's own handler.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    server.run()


def _stop_early(_number: int, _frame: FrameType | None) -> None:
    """Exit at once: as an exception, an interrupt would print a traceback or get lost."""
    os.write(sys.stderr.fileno(), b"\nStopped before the site was ready.\n")
    os._exit(130)


def main() -> int:
    """Serve until stopped; return the exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell may ignore it
        signal.signal(signal.SIGINT, _stop_early)
    try:
        bind, port = wanted_address()
        listener = claim(bind, port)
        prepare()
    except CannotServe as reason:
        print(f"cribbage: {reason}", file=sys.stderr)
        return 1
    serve(listener, bind, port)
    print("\nStopped. Matches under way continue at the next start.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
