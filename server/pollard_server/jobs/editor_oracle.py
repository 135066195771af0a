"""The oracle that asks the editor itself, where Pollard knows no command for a diagnostic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.diagnostics.wanted import only_in_editors, wanted_from
from pollard_server.client.editor_diagnoser import EditorDiagnoser
from pollard_server.client.open_documents import OpenDocument

if TYPE_CHECKING:
    from pollard_server.client.connection import Client

#: Said when such a reduction begins.
EXPLANATION = "{} itself checks each candidate, in a hidden document; no command runs."


def editor_oracle(client: Client, target: object, text: str) -> CommandOracle:
    """Return the oracle for a diagnostic of the editor, "editor:SOURCE(CODE) MESSAGE".

    Raises OracleError if the editor cannot be asked, or not about this target.
    """
    if not client.can_diagnose:
        raise OracleError(only_in_editors(text))
    if not isinstance(target, OpenDocument):
        message = "An editor can only be asked about a single file; name an oracle for a folder."
        raise OracleError(message)
    wanted = wanted_from(text)
    return CommandOracle(
        command=(),
        name=str(wanted),
        criteria=Criteria(diagnostic=(str(wanted),)),
        workspace=target.folder,
        diagnoser=EditorDiagnoser(client, target, wanted.code.partition("(")[0]),
    )
