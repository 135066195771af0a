"""What takes the place of a line that names a file, where that is more than the file's content.

A page has scripts between tags, Rust has modules between braces, and so has Perl. A file of PHP begins
with a tag that whatever includes it has already, and a style sheet of XML has a root. A module of Lua
becomes a function that is called where it stands. Elsewhere the content takes the place of the whole
line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pollard.project.links.imports import extension, names_of, words_in


@dataclass(frozen=True, slots=True)
class _Form:
    """What takes the place of `naming`: the content of a file between `before` and `after`.

    These are templates of `re.Match.expand`. `content` is what the content must be; its group is used.
    """

    of: bytes
    naming: re.Pattern[bytes]
    before: bytes = b""
    after: bytes = b""
    content: re.Pattern[bytes] = re.compile(rb"(.*)", re.DOTALL)

    def put(self, line: bytes, path: bytes, content: bytes) -> bytes | None:
        """Return the line with the content where it names the file; None if it does not."""
        used = self.content.fullmatch(content)
        if used is None or extension(path) != self.of:
            return None
        for place in self.naming.finditer(line):
            if names_of(path, imported=True) & words_in(place[0]):
                new = place.expand(self.before) + used[1] + place.expand(self.after)
                return line[: place.start()] + new + line[place.end() :]
        return None


_SCRIPT = re.compile(rb"(<script\b[^>]*?)\s+src\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+)([^>]*>)")
_INCLUDE = re.compile(rb"\b(?:require|include)(?:_once)?\b[^;]*;")
# In Perl a module is read when the program is, and then its functions are imported, if it exports any.
_PARENT = re.compile(rb"\buse\s+(?:parent|base)\s+(?:-norequire\s*,\s*)?([^;]*);")
_USE = re.compile(rb"\b(?:use|require)\s+([\w:]+)([^;]*);")
_MODULE = re.compile(rb"(.*?)(?:\n__(?:END|DATA)__\b.*)?", re.DOTALL)
_EXPORTER = re.compile(rb"(?=.*\bExporter\b)" + _MODULE.pattern, re.DOTALL)
# In Lua a module is a function whose result is the value of the call that names it.
_REQUIRE = rb"""\brequire\b\s*(?:\(\s*(?:"[^"]*"|'[^']*')\s*\)|"[^"]*"|'[^']*')"""
_REQUIRE_ALONE = re.compile(rb"^(\s*)" + _REQUIRE + rb"\s*;?$")
# A style sheet or a schema includes what is inside the root of another one.
_ELEMENT = re.compile(rb"<(?:[\w-]+:)?(?:include|import)\b[^>]*/>")
_ROOT = re.compile(rb"(?:\s|<[?!][^>]*>)*<[\w:-]+\b[^>]*[^/]>(.*)</[\w:-]+>\s*", re.DOTALL)
_FORMS = (
    _Form(b"js", _SCRIPT, rb"\1\2\n", rb"\n"),
    _Form(b"css", re.compile(rb"<link\b[^>]*>"), rb"<style>\n", rb"\n</style>"),
    _Form(b"rs", re.compile(rb"(\bmod\s+\w+)\s*;"), rb"\1 {\n", rb"\n}"),
    _Form(b"php", _INCLUDE, content=re.compile(rb"\s*<\?php\b\s*(.*?)\s*(?:\?>\s*)?", re.DOTALL)),
    _Form(b"php", _INCLUDE, rb"?>", rb"<?php ", re.compile(rb"(?!\s*<\?php\b)(.*)", re.DOTALL)),
    _Form(b"json", re.compile(rb"\brequire\([^()]*\)")),
    _Form(b"pm", _PARENT, rb"BEGIN {\n", rb"\n}\nuse parent -norequire, \1;", _MODULE),
    _Form(b"pm", _USE, rb"BEGIN {\n", rb"\n}\nBEGIN { \1->import(\2) }", _EXPORTER),
    _Form(b"pm", _USE, rb"BEGIN {\n", rb"\n}", _MODULE),
    _Form(b"lua", _REQUIRE_ALONE, rb"\1local _ = (function()\n", rb"\nend)()"),
    _Form(b"lua", re.compile(_REQUIRE), rb"(function()\n", rb"\nend)()"),
    *(_Form(end, _ELEMENT, content=_ROOT) for end in (b"xsl", b"xslt", b"xsd")),
)


def included(line: bytes, path: bytes, content: bytes) -> bytes | None:
    """Return a line with a content in the place of what names its file.

    None if the line names it in no form that is known to need more than the content.
    """
    new = (form.put(line, path, content) for form in _FORMS)
    return next((each for each in new if each is not None), None)
