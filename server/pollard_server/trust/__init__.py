"""Trust: no oracle runs before the user has agreed to exactly what it does.

A settings file can name any command. So the user is asked for consent, which is bound to a *pin*: a
hash of everything that decides what is run and what its outcome means. The files are read before
and after the question, so that nothing can change while the user reads. Standing consents are kept
in the user's state directory, outside of any workspace.

In reading order:

- `trust`: the way in. `Trust.request` returns the `Permit` without which no job can run an oracle.
- `question`: the question's text, which hides nothing.
- `consents`: remembers the answers.
- `pin`: computes the pins.
- `covered_files`: finds and reads the files that a pin covers.

`jobs`, `demo` and the top level import this package; it imports only `pollard`.
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
