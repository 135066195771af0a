"""All settings of a workspace: their defaults, how layers merge, and which oracle a file gets."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from pathlib import Path  # noqa: TC003 (cattrs resolves the annotations)
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pollard.settings import readers
from pollard.settings.problems import (
    Origin,
    Problem,
    SettingsError,
    broken_references,
    which,
)
from pollard.settings.schema import (
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    StreamSettings,
    about,
)
from pollard.settings.structure import structure
from pollard.syntax.grammars.language_facts import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.settings.problems import KeyPath

T = TypeVar("T", "StreamSettings", "PreprocessingSettings", "LanguageSettings")

_LIMITS = ("timeout", "memory", "output_limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The keys at the top of `pollard.toml`, and where they come from."""

    oracle: str | None = field(
        default=None, metadata=about("Name of the default oracle.", readers.text)
    )
    strategy: str | tuple[str, ...] | None = field(
        default=None, metadata=about("A preset's name, or a list of passes.", readers.strategy)
    )
    renaming: bool = field(
        default=True,
        metadata=about("Let the default strategy rename, merge and shorten.", readers.flag),
    )
    formatter: str | tuple[str, ...] | None = field(
        default=None,
        metadata=about(
            'Command that formats the result, from standard input to output; or "none".',
            readers.formatter,
        ),
    )
    jobs: int | Literal["auto"] = field(
        default="auto", metadata=about('Oracle runs at a time; "auto": one a core.', readers.jobs)
    )
    timeout: float | None = field(
        default=None, metadata=about('Longest run of every oracle, "10s".', readers.duration)
    )
    memory: int | None = field(
        default=None, metadata=about('Most memory of every oracle, "2GiB".', readers.memory)
    )
    output_limit: int | None = field(
        default=None, metadata=about("Most output of a run that is read.", readers.size)
    )
    guard: bool = field(
        default=True,
        metadata=about("Run no candidates with new syntax errors, but for a few.", readers.flag),
    )
    cache: bool = field(
        default=True,
        metadata=about("Remember verdicts from one reduction to the next.", readers.flag),
    )
    checks: int = field(
        default=3, metadata=about("How many times the original is run first.", readers.positive)
    )
    learn_invalid: bool = field(
        default=False,
        metadata=about("Put off edits of a kind that was only ever invalid.", readers.flag),
    )
    preprocessing: PreprocessingSettings = field(
        default=PreprocessingSettings(),
        metadata=about("What is made of the syntax tree before it is searched."),
    )
    stream: StreamSettings = field(
        default=StreamSettings(), metadata=about("How an editor's buffer follows a reduction.")
    )
    languages: dict[str, LanguageSettings] = field(
        default_factory=dict, metadata=about("What holds for one language only.")
    )
    oracles: dict[str, OracleSettings] = field(
        default_factory=dict, metadata=about("The oracles, by name.")
    )
    origin: Origin = field(default=Origin("settings"), compare=False, repr=False)
    workspace: Path | None = None

    @classmethod
    def from_mapping(
        cls, mapping: Mapping[str, Any], origin: str | Origin = "settings"
    ) -> Settings:
        """Return the settings in a plain table. Raises `SettingsError` with all problems."""
        return cls().merge(mapping, origin)

    def merge(self, mapping: Mapping[str, Any], origin: str | Origin = "settings") -> Settings:
        """Return these settings with those of `mapping` merged over them.

        Oracles are merged by name; of `stream`, `preprocessing` and each language, only the given
        keys are replaced. An oracle may be named on one side and defined on the other. Raises
        `SettingsError` with all problems.
        """
        source = Origin(origin) if isinstance(origin, str) else origin
        upper = structure(Settings, mapping, source)
        problems = [*broken_references(mapping, self.oracles, source)]
        if isinstance(upper, list) or problems:
            raise SettingsError(_in_order([*(upper if isinstance(upper, list) else ()), *problems]))
        named = {name: replace(oracle, name=name) for name, oracle in upper.oracles.items()}
        given = {
            key.name: getattr(upper, key.name)
            for key in fields(Settings)
            if "doc" in key.metadata and mapping.get(key.name) is not None
        }
        given |= {
            **{
                name: _overlaid(getattr(self, name), getattr(upper, name), mapping.get(name))
                for name in ("stream", "preprocessing")
            },
            "oracles": {**self.oracles, **named},
            "languages": self._languages_under(upper, mapping.get("languages") or {}),
        }
        return replace(self, origin=source, **given)

    def override(self, mapping: Mapping[str, Any], origin: str = "command line") -> Settings:
        """Return `merge(mapping)`, in which the given limits also replace each oracle's own.

        The same holds for the formatter and those of languages. None means not given.
        """
        merged = self.merge(mapping, origin)
        limits = {key: getattr(merged, key) for key in _LIMITS if mapping.get(key) is not None}
        oracles = {name: replace(oracle, **limits) for name, oracle in merged.oracles.items()}
        languages = merged.languages
        if mapping.get("formatter") is not None:
            languages = {key: replace(own, formatter=None) for key, own in languages.items()}
        return replace(merged, oracles=oracles, languages=languages, origin=self.origin)

    @property
    def workers(self) -> int:
        """The number of oracle runs at a time: `jobs`, or the cores that this process may use."""
        if self.jobs != "auto":
            return self.jobs
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def oracles_for(self, language: str | None) -> list[OracleSettings]:
        """Return the oracles offered for a language (None: unknown), in the order of the file."""
        return [self._complete(o, language) for o in self.oracles.values() if o.fits(language)]

    def oracle_for(self, language: str | None = None, name: str | None = None) -> OracleSettings:
        """Return the oracle to use, with the workspace's limits where it has none of its own.

        Its formatter is the language's, or else the workspace's. The oracle is, in this order: the
        one called `name`; the language's own; the default, if it is offered for the language; the
        only one that is offered. Raises `SettingsError`, which says what to do.
        """
        chosen = name or self._language_default(language)
        if chosen is None and self.oracle and self.oracles[self.oracle].fits(language):
            chosen = self.oracle
        if chosen is not None:
            return self._complete(self._named(chosen), language)
        fitting = self.oracles_for(language)
        if len(fitting) != 1:
            raise self.error((), _no_choice(self, language, [o.name for o in fitting]))
        return fitting[0]

    def error(self, path: KeyPath, message: str) -> SettingsError:
        """Return an error about the key at `path`, for checks outside of settings (passes)."""
        return SettingsError([self.origin.problem(path, message)])

    def _language_default(self, language: str | None) -> str | None:
        found = (own.oracle for own in self._of_language(language))
        return next((name for name in found if name is not None), None)

    def _formatter(self, language: str | None) -> str | tuple[str, ...] | None:
        found = (own.formatter for own in self._of_language(language))
        return next((command for command in found if command is not None), self.formatter)

    def _of_language(self, language: str | None) -> list[LanguageSettings]:
        if language is None:
            return []
        wanted = canonical(language)
        return [own for key, own in self.languages.items() if canonical(key) == wanted]

    def _languages_under(
        self, upper: Settings, given: Mapping[str, Any]
    ) -> dict[str, LanguageSettings]:
        own = {
            name: _overlaid(self.languages.get(name, LanguageSettings()), above, given[name])
            for name, above in upper.languages.items()
        }
        return {**self.languages, **own}

    def _named(self, name: str) -> OracleSettings:
        if name not in self.oracles:
            raise self.error((), f"no oracle is called '{name}'{which(name, self.oracles)}")
        return self.oracles[name]

    def _complete(self, oracle: OracleSettings, language: str | None) -> OracleSettings:
        unset = (key for key in _LIMITS if getattr(oracle, key) is None)
        limits = {key: getattr(self, key) for key in unset}
        return replace(oracle, **limits, formatter=self._formatter(language))


def _overlaid(below: T, above: T, given: Mapping[str, Any] | None) -> T:
    keys = (key for key, value in (given or {}).items() if value is not None)
    return replace(below, **{key: getattr(above, key) for key in keys})


def _no_choice(settings: Settings, language: str | None, fitting: list[str]) -> str:
    if fitting:
        names = ", ".join(fitting)
        return f'several oracles fit: {names}; name one, or set oracle = "{fitting[0]}"'
    if settings.oracles:
        subject = f"files in {language}" if language else "files of an unknown language"
        names = ", ".join(settings.oracles)
        return f"no oracle is for {subject}; name one of these, or add the language to it: {names}"
    return (
        "no oracle is set; give a command, or add to pollard.toml a table [oracles.NAME] with "
        'command = ["PROGRAM", "{file}"]'
    )


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.line or 0)
