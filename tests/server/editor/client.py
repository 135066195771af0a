"""The protocol client of the simulated editor: that of pytest-lsp, without its guesses at types."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from cattrs import Converter
from lsprotocol import types as lsp
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
)
from pytest_lsp import ClientServerConfig, LanguageClient


async def connect(handlers: Mapping[str, Callable[[Any], Any]], log: Path) -> LanguageClient:
    """Start a server process and return a client with these handlers, not yet initialized."""
    command = [sys.executable, "-m", "pollard_server", "--log-file", str(log)]
    config = ClientServerConfig(command, lambda: client_with(handlers))
    client = await config.start()
    assert isinstance(client, LanguageClient)
    return client


def client_with(handlers: Mapping[str, Callable[[Any], Any]]) -> LanguageClient:
    """Return a client with these handlers, not yet connected."""
    client = LanguageClient(converter_factory=_converter)
    for method, handler in handlers.items():
        client.feature(method)(partial(handler))  # pygls sets attributes, methods take none
    return client


def _converter() -> Converter:
    converter = default_converter()
    for message in (JsonRPCRequestMessage, JsonRPCResponseMessage, JsonRPCNotification):
        converter.register_structure_hook(message, lambda value, cls: cls(**value))
    converter.register_structure_hook(
        lsp.Command | lsp.CodeAction, lambda value, _: _action(converter, value)
    )
    return converter


def _action(converter: Converter, value: dict[str, Any]) -> lsp.Command | lsp.CodeAction:
    """Read an action or a bare command; lsprotocol 2025.0.0 confuses them."""
    is_command = isinstance(value.get("command"), str)
    return converter.structure(value, lsp.Command if is_command else lsp.CodeAction)
