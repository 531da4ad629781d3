"""Host names and addresses of this machine on its network."""

import socket

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERY_INTERFACE = frozenset({"0.0.0.0", "::", "*"})  # noqa: S104 - recognised, not bound


def network_address() -> str | None:
    """Return this machine's own address on its network; None if it has no network.

    Connecting a datagram socket only consults the routing table; nothing is sent. The target
    address is from the range reserved for documentation (RFC 5737).
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def allowed_hosts(bind: str) -> list[str]:
    """Return the host names that a site bound to `bind` answers to.

    Never "*": otherwise any host name that points at this machine would be served.
    """
    hosts = list(LOOPBACK)
    if bind in EVERY_INTERFACE:
        name = socket.gethostname().lower()
        hosts += [name, f"{name}.local"]
        bind = network_address() or ""
    if bind and bind not in hosts:
        hosts.append(bind)
    return hosts


def site_url(hosts: list[str], port: str, *, secure: bool) -> str:
    """Return the default base URL of links in mails, from the first allowed host with a name."""
    named = [host.lstrip(".") for host in hosts if host.strip(".*")]
    host = named[0] if named else LOOPBACK[0]
    return f"https://{host}" if secure else f"http://{host}:{port}"
