"""`--tcp` accepts loopback addresses; everything else is an error with one sentence."""

from __future__ import annotations

import pytest

from pollard_server.server import Address, AddressError, parse_address


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("localhost:8765", "127.0.0.1", 8765),
        ("127.0.0.1:0", "127.0.0.1", 0),
        ("127.1.2.3:65535", "127.1.2.3", 65535),
        ("[::1]:1", "::1", 1),
    ],
)
def test_loopback_addresses_are_read(text: str, host: str, port: int) -> None:
    assert parse_address(text) == Address(host, port)


@pytest.mark.parametrize(
    "text",
    ["", ":", "8765", "localhost", "localhost:", ":8765", "localhost:-1", "::1:x", "a:65536"],
)
def test_other_texts_than_host_and_port_are_refused(text: str) -> None:
    with pytest.raises(AddressError, match="needs HOST:PORT"):
        parse_address(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "example.org", "[::]"])
def test_an_address_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(AddressError, match="can only listen on this machine"):
        parse_address(f"{host}:80")


def test_an_ipv6_address_is_shown_as_it_is_typed() -> None:
    assert str(parse_address("[::1]:80")) == "[::1]:80"
