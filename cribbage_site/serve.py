"""What `make run` starts: migrate, listen, say where; one process, until Ctrl-C.

    python -m cribbage_site.serve

PORT and BIND come from the environment (8000 and 127.0.0.1). A deployment starts
`daphne cribbage_site.asgi:application` itself and migrates at another moment.
"""

import errno
import logging
import os
import socket
import sys

from cribbage_site import local

BACKLOG_OF_SOCKETS = 1024


class CannotServe(Exception):
    """A reason not to start, in one line that a newcomer understands."""


def wanted_address() -> tuple[str, int]:
    """Return the address and port asked for; raise CannotServe for a port that is none."""
    bind = os.environ.get("BIND", "").strip() or "127.0.0.1"
    port = os.environ.get("PORT", "").strip() or "8000"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise CannotServe(f"PORT={port} is not a port number (1 to 65535).")
    return bind, int(port)


def claim(bind: str, port: int) -> socket.socket:
    """Return a listening socket; raise CannotServe where the port or address cannot be had.

    The port is taken before anything else is done, so that a second start says so at
    once, and leaves the first one's database alone.
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
        return f"port {port} is taken by another program. Take another: PORT={port + 1} make run"
    if error.errno == errno.EACCES:
        return f"port {port} needs more rights than you have. Take another: PORT=8000 make run"
    return f"cannot listen on {bind} port {port}: {error.strerror or error}"


def prepare() -> None:
    """Load the site and bring its database up to date; raise CannotServe where it cannot be."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cribbage_site.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import call_command
    from django.db import OperationalError, connection

    try:
        django.setup()
        call_command("migrate", verbosity=0, interactive=False)
        connection.close()
    except ImproperlyConfigured as error:
        raise CannotServe(str(error)) from error
    except OperationalError as error:
        raise CannotServe(f"the database cannot be used: {str(error).strip()}") from error


def greet(bind: str, port: int) -> None:
    """Say where the site is, for this machine and for others where they may reach it."""
    lines = [f"Cribbage is ready: http://localhost:{port}   (Ctrl-C stops it)"]
    if bind in local.EVERY_INTERFACE:
        address = local.network_address()
        if address:
            lines.append(f"On the same network: http://{address}:{port}")
    print("\n".join(lines), flush=True)


def serve(listener: socket.socket, bind: str, port: int) -> None:
    """Run Daphne on a socket that listens already, until it is interrupted."""
    from daphne.server import Server

    from cribbage_site.asgi import application
    from games import warming

    def ready() -> None:
        greet(bind, port)
        warming.start()

    # Twisted reports each start and stop of a listener; the greeting says it better.
    logging.getLogger("daphne").setLevel(logging.WARNING)
    Server(
        application=application,
        endpoints=[f"fd:fileno={listener.fileno()}"],
        signal_handlers=True,
        ready_callable=ready,
        action_logger=None,
        server_name="cribbage",
        # The consumers answer what is over their own limit; this is where Daphne hangs up.
        websocket_max_message_size=64 * 1024,
        websocket_max_frame_size=64 * 1024,
    ).run()


def main() -> int:
    """Serve until stopped; return the exit status."""
    try:
        bind, port = wanted_address()
        listener = claim(bind, port)
        prepare()
    except CannotServe as reason:
        print(f"cribbage: {reason}", file=sys.stderr)
        return 1
    serve(listener, bind, port)
    print("\nStopped. Matches under way go on at the next start.", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
