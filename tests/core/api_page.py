"""Write docs/api.md from the docstrings of `import pollard`: `python -m tests.core.api_page`."""

from __future__ import annotations

import enum
import inspect
import re
import types
from pathlib import Path

import pollard

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
SECTIONS = {
    "Reduce": "reduce reduce_files start Job reduce_async",
    "Oracles": "OracleLike Oracle Predicate Verdict",
    "Check an oracle": "check Check Health Run",
    "Languages": "languages",
    "Results": "Result Size Counts Frequency PassStatistics ProjectResult ProjectSize ReducedFile",
    "Events": "Event Measuring Started Progress Reduced PassEnded Finished",
    "Events of several files": "ProjectEvent ProjectStarted FilesReduced ProjectFinished",
    "Errors": "PollardError NotInteresting OracleError Unstable Cancelled",
}
# A union has no docstring.
_UNIONS = {
    "OracleLike": "What the functions take as an oracle; a command is an `Oracle` without criteria.",
    "ProjectEvent": "What `on_event` of `reduce_files` is called with.",
    "Event": "What `on_event` is called with: first `Started`, last `Finished`.",
}
# What the page says and no docstring.
_MORE = """The other names are explained in [Oracles](oracles.md) (criteria, and how a command runs),
[Algorithms](algorithms.md) (passes and strategies) and [Settings](settings.md). Two
[examples](../examples/README.md) reduce the input of a failing pytest or Hypothesis test. This page is
made from the docstrings."""
_MAX_LINE = 88


def page() -> str:
    """Return the page's text."""
    intro = _prose(inspect.getdoc(pollard) or "", "")
    parts = [
        "# Python API",
        intro,
        _MORE,
        "| name | what it is or does |\n|---|---|\n" + _contents(),
    ]
    for title, names in SECTIONS.items():
        parts += [f"## {title}", *(_entry(name) for name in names.split())]
    return "\n\n".join(parts) + "\n"


def examples(text: str) -> list[str]:
    """Return the examples of a page."""
    return re.findall(r"^```pycon\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def _contents() -> str:
    names = " ".join(SECTIONS.values()).split()
    rows = ((name, _doc(name).partition("\n\n")[0].replace("\n", " ")) for name in names)
    return "\n".join(f"| {_link(name)} | {what} |" for name, what in rows)


def _entry(name: str) -> str:
    thing = getattr(pollard, name)
    shown = [f"### {_title(name)}", _code(_signature(name, thing)), _prose(_doc(name), name)]
    if isinstance(thing, type):
        shown += [_member(name, key, value) for key, value in vars(thing).items() if key[0] != "_"]
    return "\n\n".join(part for part in shown if part)


def _member(owner: str, name: str, value: object) -> str:
    """Return the entry of a property or method, "" for a field, which its class explains."""
    if isinstance(value, property):
        head = name
    elif isinstance(value, types.FunctionType):
        head = name + _parameters(value)
    else:
        return ""
    return f"#### `{owner}.{head}`\n\n{_prose(inspect.getdoc(value) or '', owner)}"


def _signature(name: str, thing: object) -> str:
    """Return how to call the thing, or what it is made of; "" if neither is of use."""
    if name in _UNIONS:
        return f"{name} = " + re.sub(
            r"\b(?:pollard|collections|typing)\.(?:\w+\.)*", "", str(thing)
        )
    if isinstance(thing, type) and issubclass(thing, enum.Enum):
        return "\n".join(f'{name}.{each.name} = "{each.value}"' for each in thing)
    if isinstance(thing, type) and (issubclass(thing, Exception) or thing is pollard.Job):
        return ""
    prefix = "async " if inspect.iscoroutinefunction(inspect.unwrap(thing)) else ""
    return prefix + name + _parameters(thing)


def _parameters(function: object) -> str:
    """Return the parameters and what is returned, a line for each where they do not fit into one."""
    signature = inspect.signature(function)
    given = [each for each in signature.parameters.values() if each.name != "self"]
    words = [_parameter(each) for each in given]
    named = [each.kind is each.KEYWORD_ONLY for each in given]
    if any(named):
        words.insert(named.index(True), "*")
    if function is not pollard.reduce and len(given) > 2 and given == _parameters_of_reduce():
        words[2:] = ["..."]
    returned = None if isinstance(function, type) else signature.return_annotation
    end = f") -> {returned}" if returned else ")"
    line = f"({', '.join(words)}{end}"
    return line if len(line) < _MAX_LINE else "(\n    " + ",\n    ".join(words) + f",\n{end}"


def _parameters_of_reduce() -> list[inspect.Parameter]:
    return list(inspect.signature(pollard.reduce).parameters.values())


def _parameter(given: inspect.Parameter) -> str:
    shown = f"{given.name}: {given.annotation}"
    if given.default is given.empty:
        return shown
    return f"{shown} = {given.default!r}".replace("'", '"')


def _doc(name: str) -> str:
    return _UNIONS.get(name) or inspect.getdoc(getattr(pollard, name)) or ""


def _prose(doc: str, owner: str) -> str:
    """Return a docstring as Markdown: its examples in fences, its names as links."""
    blocks = [block.strip() for block in doc.split("\n\n")]
    return "\n\n".join(
        _code(block, "pycon") if block.startswith(">>>") else _linked(block, owner)
        for block in blocks
    )


def _code(text: str, language: str = "python") -> str:
    return f"```{language}\n{text}\n```" if text else ""


def _linked(text: str, owner: str) -> str:
    names = [name for name in pollard.__all__ if name != owner]
    return re.sub(rf"`({'|'.join(names)})`", lambda found: _link(found[1]), text)


def _link(name: str) -> str:
    anchor = re.sub(r"[^\w ]", "", _title(name)).lower().replace(" ", "-")
    return f"[`{name}`](#{anchor})"


def _title(name: str) -> str:
    """Return the heading of a name; `check` and `Check` would be the same link without "class"."""
    is_class = isinstance(getattr(pollard, name), type)
    return f"class `{name}`" if is_class else f"`{name}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
