"""Trust: no oracle runs before the user has agreed to exactly what it does.

A settings file can name any command, so consent is asked for, pinned to a hash of everything that
decides what is run and when it counts, and kept in the user's state directory.
"""

from __future__ import annotations

from pollard_server.trust.consents import Consents
from pollard_server.trust.pin import pin
from pollard_server.trust.question import ALWAYS, NO, ONCE
from pollard_server.trust.trust import UNTRUSTED, Consent, NotAllowed, Permit, Trust

__all__ = [
    "ALWAYS",
    "NO",
    "ONCE",
    "UNTRUSTED",
    "Consent",
    "Consents",
    "NotAllowed",
    "Permit",
    "Trust",
    "pin",
]
