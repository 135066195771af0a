"""Where the server may listen: on this machine only, because it runs commands for its client."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from pollard.errors import PollardError

_LAST_PORT = 65535


class AddressError(PollardError):
    """The text given for `--tcp` is no `HOST:PORT` on this machine."""


@dataclass(frozen=True, slots=True)
class Address:
    """A loopback IP address and a TCP port; port 0 lets the system choose a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `HOST:PORT`, with an IPv6 host in brackets; raise `AddressError` unless it is loopback.

    `localhost` is taken as 127.0.0.1 and no other name is looked up, so that what is listened on
    does not depend on a name service.
    """
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > _LAST_PORT:
        raise AddressError(f"--tcp needs HOST:PORT, such as 127.0.0.1:8765, not {text!r}.")
    return Address(_loopback(host), int(port))


def _loopback(host: str) -> str:
    if host.lower() == "localhost":
        return "127.0.0.1"
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        is_loopback = ipaddress.ip_address(bare).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise AddressError(
            f"--tcp can only listen on this machine: use localhost, 127.0.0.1 or [::1], not {host}."
        )
    return bare
