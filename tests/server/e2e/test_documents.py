"""Documents of every kind: line ends, wide characters, odd names, very large texts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.examples import rarely
from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.e2e.scenes import held
from tests.server.editor import EMACS, VSCODE, Editor, Temperament, Workspace, capabilities
from tests.server.editor.answers import KEEP_MINE

pytestmark = pytest.mark.asyncio(loop_scope="session")

encodings = pytest.mark.parametrize(
    "encoding",
    [
        lsp.PositionEncodingKind.Utf16,
        *rarely(lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf32),
    ],
    ids=lambda it: it.value,
)

#: Two UTF-16 units, a letter with a combining accent, a family of seven code points, RTL, a BOM within.
ODD = "😀 e\u0301 👨‍👩‍👧‍👦 שלום \ufeff \u2028 \u0085 \x0b"


def odd_lines(end: str = "\n") -> str:
    return "".join(
        f"{ODD if n % 3 else ''}{n} {'needle' if n % 4 == 2 else ODD}{end}" for n in range(14)
    )


LINE_ENDS = {
    "lf": (VSCODE, "\n"),
    "crlf": (VSCODE, "\r\n"),
    "crlf that may break": (EMACS, "\r\n"),
    "cr": (EMACS, "\r"),
}


def each_encoding_and_line_end() -> Iterator[Any]:
    """All pairs; every run tests surrogate pairs and an edit within a line end, CI the others."""
    always = {("utf-16", "crlf that may break")}
    for encoding, name in itertools.product(lsp.PositionEncodingKind, LINE_ENDS):
        marks = () if (encoding.value, name) in always else pytest.mark.exhaustive
        id_ = f"{encoding.value} {name}"
        yield pytest.param(encoding, *LINE_ENDS[name], marks=marks, id=id_)


@pytest.mark.parametrize(("encoding", "temperament", "end"), [*each_encoding_and_line_end()])
async def test_every_edit_lands_where_it_should(
    start,
    workspace: Workspace,
    encoding: lsp.PositionEncodingKind,
    temperament: Temperament,
    end: str,
) -> None:
    """In every encoding the buffer has the text that the server expects: each text was interesting."""
    editor = await start(temperament=temperament, supports=capabilities(encodings=[encoding]))
    assert editor.encoding == encoding
    buffer = editor.open("case.txt", original := odd_lines(end))
    end_ = await editor.reduced(buffer, strategy=["lines", "characters"])
    assert end_["state"] == "done"
    assert documents.needles(buffer.text) == 3
    assert all(documents.is_subsequence(text, original) for text in buffer.from_server)
    assert all(workspace.is_interesting(text) for text in buffer.from_server)


@encodings
async def test_a_selection_is_understood_in_every_encoding(
    start, workspace: Workspace, encoding: lsp.PositionEncodingKind
) -> None:
    """The selection begins and ends within a line, after characters of several code units."""
    editor = await start(supports=capabilities(encodings=[encoding]))
    original = documents.lines(10) + f"{ODD}[{ODD * 3} hay]{ODD}\n" + documents.lines(20)
    buffer = editor.open("case.txt", original)
    start_, end = original.index("[") + 1, original.index("]")
    await editor.reduced(buffer, editor.select(buffer, start_, end), strategy="ddmin")
    assert buffer.text == original[:start_] + original[end:]


async def test_the_servers_choice_of_encoding_is_one_that_the_editor_offers(start) -> None:
    offered = [lsp.PositionEncodingKind.Utf32, lsp.PositionEncodingKind.Utf8]
    editor = await start(supports=capabilities(encodings=offered))
    assert editor.encoding in offered


async def test_without_an_offer_it_is_utf_16(start) -> None:
    editor = await start(supports=capabilities())
    assert editor.encoding == lsp.PositionEncodingKind.Utf16


async def test_crlf_stays_crlf(editor: Editor) -> None:
    buffer = editor.open("case.py", original := documents.python().replace("\n", "\r\n"), "python")
    await editor.reduced(buffer)
    assert buffer.text.count("\n") == buffer.text.count("\r\n")
    assert documents.is_subsequence(buffer.text, original)


async def test_an_empty_document_ends_with_a_sentence(editor: Editor) -> None:
    buffer = editor.open("case.txt", "")
    end = await editor.reduced(buffer)
    assert end["state"] == "failed"
    assert end["message"]
    assert buffer.text == ""


async def test_an_empty_document_that_is_interesting_stays_empty(
    start, workspace: Workspace
) -> None:
    workspace.configure(workspace.oracle("true"))
    editor = await start()
    buffer = editor.open("case.txt", "")
    assert (await editor.reduced(buffer))["state"] == "done"
    assert buffer.text == ""


async def test_a_document_that_may_become_empty_does(start, workspace: Workspace) -> None:
    workspace.configure(workspace.oracle("true"))
    editor = await start()
    buffer = editor.open("case.txt", original := documents.lines())
    await editor.reduced(buffer)
    assert buffer.text == ""
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: buffer.text == original)


async def test_half_a_character_is_never_lost(editor: Editor) -> None:
    """An editor that uses UTF-16 can hold a lone surrogate, which UTF-8 cannot encode."""
    original = "lone \ud83d\n" + documents.lines()
    buffer = editor.open("case.txt", original)
    end = await editor.reduced(buffer)
    if end["state"] == "failed":
        assert end["message"]
        assert buffer.text == original
    else:
        assert documents.needles(buffer.text) == 3
        await editor.execute("pollard.restore", {"uri": buffer.uri})
        await editor.until(lambda: buffer.text == original)


async def test_half_a_character_typed_during_a_reduction_is_kept(
    editor: Editor, workspace: Workspace
) -> None:
    buffer = editor.open("case.txt", documents.lines())
    job = await held(editor, buffer)
    editor.answers.foreign = KEEP_MINE
    editor.type(buffer, 4, "half \ude00")
    mine = buffer.text
    await editor.ended(job)
    await editor.settled(buffer)
    assert buffer.text == mine


@pytest.mark.parametrize("language", ["no-such-language", *rarely("", "plaintext")])
async def test_an_unknown_language_is_reduced_as_text(editor: Editor, language: str) -> None:
    buffer = editor.open("case.unknown", documents.lines(), language)
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_a_document_that_was_never_saved(start, workspace: Workspace) -> None:
    """`untitled:` has no folder, so the settings of the open folder apply."""
    editor = await start(fresh=True, folder=workspace.folder)
    buffer = editor.open("untitled:Untitled-1", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3


async def test_a_document_of_two_megabytes(start, workspace: Workspace) -> None:
    """It shrinks, and a stop takes effect at once."""
    workspace.configure(workspace.oracle(NEEDLES))
    editor = await start()
    text = documents.lines(200) + "hay " * 500_000 + "\n"
    buffer = editor.open("case.txt", text)
    job = await editor.reduce(buffer)
    await editor.until(lambda: buffer.from_server)
    await editor.execute("pollard.stop", {"id": job})
    assert (await editor.ended(job))["state"] in ("stopped", "done")
    assert workspace.is_interesting(buffer.text)
    await editor.execute("pollard.restore", {"uri": buffer.uri})
    await editor.until(lambda: buffer.text == text)
