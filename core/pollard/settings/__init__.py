"""Settings: from `pollard.toml` or pyproject.toml, from an editor, and from the command line.

`settings` is the way in: the class `Settings` merges layers of settings and chooses the oracle for
a file. `schema` has its tables, with the documentation and the reader of each key; the readers are
in `readers`. `structure` turns a plain table into these classes and collects all mistakes, which
`problems` words. `settings_file` finds and reads files, and `editing` adds an oracle to one.

No other part of the engine reads settings, and settings import the rest of the engine lazily.
"""

from pollard.settings.problems import Origin, Problem, SettingsError
from pollard.settings.schema import (
    CriteriaSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    StreamSettings,
)
from pollard.settings.settings import Settings
from pollard.settings.settings_file import find_settings, read_settings, settings_for

__all__ = [
    "CriteriaSettings",
    "LanguageSettings",
    "OracleSettings",
    "Origin",
    "PreprocessingSettings",
    "Problem",
    "Settings",
    "SettingsError",
    "StreamSettings",
    "find_settings",
    "read_settings",
    "settings_for",
]
