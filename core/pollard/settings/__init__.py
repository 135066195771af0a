"""Settings: from `pollard.toml` or pyproject.toml, from an editor, and from the command line.

A *table* is what TOML or JSON gives: a plain mapping whose values may have any type. A *settings
class* is a frozen dataclass whose fields describe the keys of a table. This package turns the one
into the other, merges several of them, and chooses the oracle for a file.

Two ideas carry everything here:

**One description of each key.** A field's metadata holds its line of documentation and the *reader*
of its value (`schema.key`). It yields the check of the value, the tables in the docs, and the
suggestion after a misspelt key. To add a key, add a field in `schema` or `settings`, and a row to
docs/settings.md; a test compares the two.

**All mistakes together.** Reading never stops at the first mistake. cattrs collects every error in a
table; each becomes a `Problem` with the file, the line and a sentence, and one `SettingsError` holds
them all. The command line prints them, and the language server shows them as diagnostics.

Layers are merged key by key, later ones over earlier ones: defaults, file, editor or command line.
None always means "not set". Durations are in seconds, sizes in bytes.

Modules, in reading order:

    settings       the class `Settings`: the top-level keys, merging, choosing an oracle; start here
    schema         the classes of the other tables, and their conversion to the engine's classes
    readers        functions that check and convert one value; also used for the server's arguments
    usual_formatters   what `formatter = "auto"` means
    usual_tools    the oracle for a diagnostic such as `ruff:F821`
    around         what `around = true` links
    compile_flags  the flags of a C or C++ file, from its compilation database
    structure      turns a table into a dataclass, or into the list of its mistakes
    problems       `Problem`, `SettingsError`, and where settings come from
    settings_file  finds and reads settings files, and the lines of their keys
    editing        adds an oracle to a file and leaves the rest unchanged

The command line and the server import this package. It imports `pollard.errors`,
`pollard.quantities` and `pollard.syntax.grammars` (names of languages); oracle and tree are imported
only when a settings class is converted to the engine's, so that an editor reads settings quickly.
"""

from pollard.settings.problems import Origin, Problem, SettingsError
from pollard.settings.schema import (
    CriteriaSettings,
    ExecutorSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    SandboxSettings,
    StreamSettings,
)
from pollard.settings.settings import Settings
from pollard.settings.settings_file import find_settings, read_settings, settings_for

__all__ = [
    "CriteriaSettings",
    "ExecutorSettings",
    "LanguageSettings",
    "OracleSettings",
    "Origin",
    "PreprocessingSettings",
    "Problem",
    "SandboxSettings",
    "Settings",
    "SettingsError",
    "StreamSettings",
    "find_settings",
    "read_settings",
    "settings_for",
]
