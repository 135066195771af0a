"""From the bytes of a file to the UTF-8 text that is parsed and searched, and back.

The engine works on UTF-8, since grammars expect it. Everything that leaves the engine has the bytes
of the file's own encoding: what the oracle gets, the journal, the cache's keys, the result.

- `encoding`: `Encoding`, the way there and back, and `encoding_of`, which finds a file's
- `declarations`: what a file says about its encoding

An encoding is used only if it gives back every byte of the original. Latin-1 always does, so there is
one for any file. A candidate that cannot be encoded is not run; passes insert ASCII and copies of the
text's own characters, so that hardly happens.

This room imports no other one.
"""

from __future__ import annotations
