"""Lets a judge see candidates in the encoding of the file, while the search works on UTF-8."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pollard.engine.subject import TextJudge
    from pollard.oracle import Verdict
    from pollard.syntax.encodings.encoding import Encoding


class EncodingJudge:
    """Hands texts to another judge in a file's encoding; one that cannot be encoded is not run."""

    def __init__(self, judge: TextJudge, encoding: Encoding) -> None:
        self._judge = judge
        self._encoding = encoding

    def first(
        self,
        texts: Iterable[bytes | None],
        on_verdict: Callable[[int, Verdict], None] | None = None,
        /,
    ) -> int | None:
        """Return the index of the first interesting text; see `TextJudge.first`."""
        encoded = (text if text is None else self._encoding.encoded(text) for text in texts)
        return self._judge.first(encoded, on_verdict)
