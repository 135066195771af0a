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


#: Fails with the first error of `ERRORS` whose word the candidate has; `$1` is the candidate.
FAILURES = """
for each in needle=ValueError thorn=NameError nettle=KeyError; do
    if grep -q "${each%=*}" "$1"; then
        printf 'Traceback (most recent call last):\\n  File "a.py", line 1, in load\\n' >&2
        printf '%s: bad\\n' "${each#*=}" >&2
        return 0
    fi
done
return 1
"""


def failing(*words: str) -> str:
    """Return twelve lines with the words of `FAILURES`, apart, so that halves have one of them."""
    places = {"thorn": 1, "nettle": 7, "needle": 10}
    content = {place: word for word, place in places.items() if word in words}
    return "".join(f"line {n} {content.get(n, 'hay')}\n" for n in range(12))
