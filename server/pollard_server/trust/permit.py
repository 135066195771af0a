"""What trust comes to: a permit to run one oracle, or the reason why there is none."""

from __future__ import annotations

import enum
from dataclasses import InitVar, dataclass
from typing import TYPE_CHECKING

from pollard.errors import PollardError

if TYPE_CHECKING:
    from pollard.oracle import Oracle

SEAL = object()


class NotAllowed(PollardError):
    """The oracle may not run; the text says why and what to do about it."""


class Consent(enum.Enum):
    """What is known of the user's consent to an oracle before it is asked for."""

    GIVEN = "given"
    NEEDED = "needed"
    REFUSED = "refused"
    UNTRUSTED = "untrusted"


@dataclass(frozen=True, slots=True)
class Permit:
    """The user's consent to run `oracle`, that very value, for one request.

    `pin` is the hash of what was consented to. Only `Trust` makes permits; the seal is no field, so
    that neither a call nor `dataclasses.replace` can make one for another oracle.
    """

    oracle: Oracle
    pin: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            message = "only Trust.request makes permits"
            raise TypeError(message)
