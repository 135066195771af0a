"""Texts to reduce, and a check of the results."""

from __future__ import annotations

#: Interesting with three needles; `$1` is the candidate.
NEEDLES = 'case $(cat "$1") in *needle*needle*needle*) true ;; *) false ;; esac'
SECRET = "confidential"


def lines(count: int = 40, end: str = "\n") -> str:
    """Return numbered lines: each tenth, from the 6th on, has a needle; all have the secret."""
    return "".join(
        f"line {n} {'needle' if n % 10 == 5 else 'of hay'} {SECRET}{end}" for n in range(count)
    )


def python(count: int = 40) -> str:
    """Return a Python file of assignments; every tenth has a needle."""
    return "".join(
        f"value_{n} = ['{'needle' if n % 10 == 5 else 'hay'}', {n}]  # {SECRET}\n"
        for n in range(count)
    )


def json(count: int = 40) -> str:
    """Return a JSON list of lists; every tenth has a needle."""
    rows = (f'  ["{"needle" if n % 10 == 5 else "hay"}", {n}, [{n}, null]]' for n in range(count))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def needles(text: str) -> int:
    return text.count("needle")


def is_subsequence(part: str, whole: str) -> bool:
    """Return whether removing characters from `whole` can give `part`."""
    rest = iter(whole)
    return all(character in rest for character in part)
