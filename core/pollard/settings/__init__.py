"""Settings: those of `pollard.toml` or pyproject.toml, of an editor and of the command line."""

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
