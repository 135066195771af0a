"""The commands' arguments: their classes, and the reading of what an editor sent."""

from pollard_server.arguments.commands import (
    COMMANDS,
    CheckOracle,
    ConfigureOracle,
    History,
    Jobs,
    Oracles,
    Reduce,
    Restore,
    Status,
)
from pollard_server.arguments.parsing import InvalidArguments, parse

__all__ = [
    "COMMANDS",
    "CheckOracle",
    "ConfigureOracle",
    "History",
    "InvalidArguments",
    "Jobs",
    "Oracles",
    "Reduce",
    "Restore",
    "Status",
    "parse",
]
