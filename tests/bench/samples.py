"""Generated files of any size, with a few needles for an oracle to look for."""

from __future__ import annotations

import json

NEEDLE = "needle"

_FUNCTION = """\
static int step_{n}(struct state *state, int count)
{{
    int total = {n};
    for (int i = 0; i < count; i++) {{
        if (state->values[i] > total && (i % 3) != {m}) {{
            total += helper(state->values[i], "item {n}", i * 2 + {m});
        }} else {{
            state->left[{m}] -= 1;
        }}
    }}
    {extra}
    return total;
}}

"""
_NEEDLE_LINE = "use(state->values[0], needle);"


def c_file(length: int, needles: int = 5) -> str:
    """Return C functions of at least `length` bytes, of which `needles` contain a needle."""
    size = len(_FUNCTION.format(n=1000, m=1, extra="use(state->values[0], count);"))
    functions = length // size + 1
    places = {functions * (2 * i + 1) // (2 * needles) for i in range(needles)}
    return "".join(
        _FUNCTION.format(
            n=1000 + n, m=n % 3, extra=_NEEDLE_LINE if n in places else "use(state, count);"
        )
        for n in range(functions + 1)
    )


def json_file(length: int, needles: int = 5) -> str:
    """Return a JSON list of records of about `length` bytes, of which `needles` contain a needle."""

    def record(n: int, name: str) -> dict[str, object]:
        return {"id": n, "name": name, "tags": ["a", "b", n], "at": {"x": n / 2, "y": None}}

    count = length // (len(json.dumps(record(100, "someone"), indent=1)) + 2) + 1
    places = {count * (2 * i + 1) // (2 * needles) for i in range(needles)}
    return json.dumps(
        [record(n, NEEDLE if n in places else "someone") for n in range(count)], indent=1
    )
