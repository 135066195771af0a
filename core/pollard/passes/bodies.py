"""Bodies of functions, and the least that may be in their place.

Where they are not between braces, that is told of those languages of which a style is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.branches import below
from pollard.syntax.edits import Edit
from pollard.syntax.kinds import FUNCTION, has_kind
from pollard.syntax.languages import grammar_of
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.subject import Subject
    from pollard.syntax.branches import Branch

#: In bytes that are no white space: shorter bodies would hardly get shorter.
LEAST = 24
# What never returns, by the language's name; elsewhere an empty body between braces does.
_STUBS = {
    "csharp": b"{ throw null; }",
    "d": b"{ assert(0); }",
    "dart": b"{ throw 0; }",
    "go": b"{ panic(0) }",
    "haxe": b"{ throw 0; }",
    "java": b"{ throw null; }",
    "kotlin": b"{ TODO() }",
    "rust": b"{ loop {} }",
    "scala": b"{ ??? }",
    "shellscript": b"{ :; }",
    "swift": b"{ fatalError() }",
    "typescript": b"{ throw 0 }",
    "typescriptreact": b"{ throw 0 }",
}


class _Style(NamedTuple):
    """How a language writes functions, and what may be in the place of a body.

    A body begins with `opening` and is the last of a function, or is the first of its kind in one.
    """

    stub: bytes
    opening: bytes = b""
    function: str = FUNCTION.pattern
    """The kinds of functions."""
    body: str = ""
    """The kinds of bodies, where they need not be the last of a function."""
    beside: str = ""
    """The kinds of what must be beside a body; in OCaml what has no parameters is a value."""
    local: str = "$^"
    """The kinds of what is beside a body and goes with it, as the function has it for itself."""


_BRACES = _Style(b"{}", b"{")
_ADA = _Style(
    b"null;",
    function="^subprogram_body$",
    body="^handled_sequence_of_statements$",
    local="^non_empty_declarative_part$",
)
_OTHERS = {
    "ada": (
        _ADA._replace(stub=b"return raise Program_Error;", beside="^function_specification$"),
        _ADA,
    ),
    "erlang": (_Style(b"-> 0", b"->"),),
    "haskell": (_Style(b"= undefined", body="^match$", local="^(where|local_binds|match)$"),),
    "ocaml": (_Style(b"assert false", function="^let_binding$", beside="parameter"),),
    "pascal": (_Style(b"begin end", b"begin", local="^decl(Consts|Labels|Types|Vars)$|^defProc$"),),
    "python": (_Style(b"0", function="^function_definition$", beside="parameter"),),
}


class Body(NamedTuple):
    """What a function does, the `edits` that make it do nothing, and its weight.

    The weight is in bytes that are no white space, with what goes with it.
    """

    branch: Branch
    edits: tuple[Edit, ...]
    weight: int


def bodies(subject: Subject) -> Iterator[Body]:
    """Yield the outermost bodies of functions, inside the region, that are worth replacing."""
    text = subject.document.text
    level = below([subject.root], subject.span) if has_kind(subject.document, FUNCTION) else []
    while level:
        around: list[Branch] = []
        for branch in level:
            if size(text[branch.start : branch.end]) < LEAST:
                continue
            body = _body(subject, branch)
            if body is None:
                around.append(branch)
            else:
                yield body
        level = below(around, subject.span)


def _body(subject: Subject, branch: Branch) -> Body | None:
    text = subject.document.text
    style = next((one for one in _styles(subject, branch) if _is_body(branch, text, one)), None)
    if style is None:
        return None
    local = [other for other in branch.siblings if other is not branch and _is(other, style.local)]
    if not all(one.is_within(subject.span) for one in (branch, *local)):
        return None
    going = tuple(Edit(other.start, other.end) for other in local)
    edits = (*going, Edit(branch.start, branch.end, style.stub))
    return Body(branch, edits, sum(size(text[edit.start : edit.end]) for edit in edits))


def _styles(subject: Subject, branch: Branch) -> tuple[_Style, ...]:
    language = branch.home_in(subject.document).language
    grammar = grammar_of(language) if language is not None else None
    name = grammar.name if grammar else ""
    return _OTHERS.get(name) or (_BRACES._replace(stub=_STUBS.get(name, _BRACES.stub)),)


def _is_body(branch: Branch, text: bytes, style: _Style) -> bool:
    """Tell whether a branch is the body of a function; not all have a field.

    A semicolon may follow.
    """
    if not text.startswith(style.opening, branch.start):
        return False
    above = branch.parent
    if style.body:
        is_it = _is(branch, style.body) and not any(
            _is(other, style.body) for other in branch.siblings[: branch.index]
        )
    else:
        is_it = all(other.is_token for other in branch.siblings[branch.index + 1 :])
    inside = is_it and above is not None and re.search(style.function, above.trunk.type)
    if style.beside:
        return bool(inside) and any(_is(other, style.beside) for other in branch.siblings)
    return bool(inside or (style.opening and re.search(style.function, branch.node.type)))


def _is(branch: Branch, kinds: str) -> bool:
    return re.search(kinds, branch.node.type) is not None
