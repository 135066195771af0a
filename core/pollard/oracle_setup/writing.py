"""The text of the settings file with a new oracle in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pollard.oracle_setup.presets import AnswerError
from pollard.settings.editing import name_for, own_file, with_oracle
from pollard.settings.readers import command
from pollard.settings.settings_file import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pollard.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class NewSettings:
    """A settings file to write.

    - `name`: the name of the new oracle
    - `text`: the whole text of `file`
    - `table`: the new oracle alone, for people
    - `created`: whether there is no such file yet
    - `replaced`: whether an oracle of this name is replaced
    """

    name: str
    file: Path
    text: str
    table: str
    created: bool
    replaced: bool


def new_settings(
    definition: Mapping[str, Any],
    settings: Settings,
    file: Path | None,
    folder: Path,
    *,
    language: str | None = None,
    name: str | None = None,
    replace: bool = False,
) -> NewSettings:
    """Return the settings `file` with a new oracle; None stands for a new file in `folder`.

    The oracle is for `language`, unless the definition says otherwise. An oracle called `name` is
    replaced. Without a name the oracle gets that of its program, with a number if that is taken and
    it may not `replace` an oracle. Reads the disk. Raises PollardError if the definition is wrong or
    the file cannot be read.
    """
    target = file or own_file(folder)
    try:
        words = command(definition.get("command"))
    except ValueError as error:
        raise AnswerError(f"The command {error}.") from error
    chosen = name or name_for(words, () if replace else settings.oracles)
    complete = dict(definition)
    if language is not None:
        complete.setdefault("languages", [language])
    exists = target.exists()
    return NewSettings(
        name=chosen,
        file=target,
        text=with_oracle(target, read_text(target) if exists else "", chosen, complete),
        table=with_oracle(own_file(folder), "", chosen, complete).strip(),
        created=not exists,
        replaced=chosen in settings.oracles,
    )
