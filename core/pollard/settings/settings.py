"""The settings of a workspace: defaults, how layers merge, and which oracle a file gets."""

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
    known_oracles,
)
from pollard.settings.schema import (
    ExecutorSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    StreamSettings,
    key,
)
from pollard.settings.structure import structure
from pollard.settings.usual_formatters import AUTO, usual_formatter
from pollard.syntax.grammars.language_facts import canonical

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.settings.problems import KeyPath

T = TypeVar("T", "StreamSettings", "PreprocessingSettings", "LanguageSettings")

_INHERITED_LIMITS = ("timeout", "memory", "output_limit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The top-level keys of `pollard.toml`, and where they come from."""

    oracle: str | None = key("Name of the default oracle.", readers.text)
    strategy: str | tuple[str, ...] | None = key(
        "A preset's name, or a list of passes.", readers.strategy
    )
    renaming: bool = key("Let the default strategy rename and shorten.", readers.flag, default=True)
    formatter: str | tuple[str, ...] | None = key(
        'Command that formats the result, from standard input to output; or "auto", "none".',
        readers.formatter,
    )
    jobs: int | Literal["auto"] = key(
        'Oracle runs at a time; "auto": one per core.', readers.jobs, default="auto"
    )
    speculation: Literal["eager", "frugal", "off"] = key(
        'How far several jobs run ahead of verdicts: "eager", "frugal" or "off".',
        readers.speculation,
        default="eager",
    )
    executor: ExecutorSettings = key(
        "Where runs take place: here, or on a cluster.", default=ExecutorSettings()
    )
    timeout: float | None = key('Longest run of every oracle, "10s".', readers.duration)
    memory: int | None = key('Most memory of every oracle, "2GiB".', readers.memory)
    output_limit: int | None = key("Most output of a run that is read.", readers.size)
    guard: bool = key(
        "Run no candidates with new syntax errors, except a few.", readers.flag, default=True
    )
    cache: bool = key(
        "Remember verdicts from one reduction to the next.", readers.flag, default=True
    )
    checks: int = key(
        "How many times to run the original first; the result is run twice as often.",
        readers.positive,
        default=3,
    )
    max_runs: int | None = key(
        'Runs after which a search ends with its best text; or "none".', readers.max_runs
    )
    max_time: float | None = key(
        'Time after which a search ends with its best text, "5m"; or "none".', readers.duration
    )
    learn_invalid: bool = key(
        "Put off edits of a kind that was only ever invalid.", readers.flag, default=False
    )
    preprocessing: PreprocessingSettings = key(
        "How the syntax tree is prepared before the search.", default=PreprocessingSettings()
    )
    stream: StreamSettings = key(
        "How an editor's buffer follows a reduction.", default=StreamSettings()
    )
    languages: dict[str, LanguageSettings] = key(
        "Settings for one language only.", default_factory=dict
    )
    oracles: dict[str, OracleSettings] = key("The oracles, by name.", default_factory=dict)
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

        Oracles are replaced as a whole, by name, and so is `executor`; `stream`, `preprocessing` and
        each language are merged key by key. Either may name an oracle that the other defines. Raises
        `SettingsError` with all problems.
        """
        source = Origin(origin) if isinstance(origin, str) else origin
        upper = structure(Settings, mapping, source)
        problems = [*broken_references(mapping, self.oracles, source)]
        if isinstance(upper, list) or problems:
            raise SettingsError(_in_order([*(upper if isinstance(upper, list) else ()), *problems]))
        given = {
            each.name: getattr(upper, each.name)
            for each in fields(Settings)
            if "doc" in each.metadata and mapping.get(each.name) is not None
        }
        given |= {
            name: _merged(getattr(self, name), getattr(upper, name), mapping.get(name))
            for name in ("stream", "preprocessing")
        }
        named = {name: replace(oracle, name=name) for name, oracle in upper.oracles.items()}
        given["oracles"] = {**self.oracles, **named}
        given["languages"] = self._merged_languages(upper, mapping.get("languages") or {})
        return replace(self, origin=source, **given)

    def with_oracle(self, oracle: OracleSettings) -> Settings:
        """Return these settings with one more oracle."""
        return replace(self, oracles={**self.oracles, oracle.name: oracle})

    def override(self, mapping: Mapping[str, Any], origin: str = "command line") -> Settings:
        """Return `merge(mapping)`, where the given limits also replace each oracle's own.

        A given formatter likewise replaces those of languages. None means not given.
        """
        merged = self.merge(mapping, origin)
        limits = {
            name: getattr(merged, name)
            for name in _INHERITED_LIMITS
            if mapping.get(name) is not None
        }
        oracles = {name: replace(oracle, **limits) for name, oracle in merged.oracles.items()}
        languages = merged.languages
        if mapping.get("formatter") is not None:
            languages = {name: replace(own, formatter=None) for name, own in languages.items()}
        return replace(merged, oracles=oracles, languages=languages, origin=self.origin)

    @property
    def workers(self) -> int:
        """The number of parallel oracle runs: `jobs`, or the cores that this process may use."""
        if self.jobs != "auto":
            return self.jobs
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def oracles_for(self, language: str | None) -> list[OracleSettings]:
        """Return the oracles offered for a language (None: unknown), in the order of the file."""
        return [self._complete(o, language) for o in self.oracles.values() if o.fits(language)]

    def oracle_for(self, language: str | None = None, name: str | None = None) -> OracleSettings:
        """Return the oracle to use, completed with the workspace's limits and the formatter.

        The first of these that exists: the oracle called `name`; the language's own; the default, if it
        is offered for the language; the only one that is offered. The formatter is the language's, or
        else the workspace's. Raises `SettingsError`, which says what to do.
        """
        chosen = name or self._of_language(language, "oracle")
        if chosen is None and self.oracle and self.oracles[self.oracle].fits(language):
            chosen = self.oracle
        if chosen is not None:
            return self._complete(self._named(chosen), language)
        fitting = self.oracles_for(language)
        if len(fitting) != 1:
            raise self.error((), _no_choice(self, language, [o.name for o in fitting]))
        return fitting[0]

    def error(self, path: KeyPath, message: str) -> SettingsError:
        """Return an error about the key at `path`, for checks outside this package (of strategies)."""
        return SettingsError([self.origin.problem(path, message)])

    def _of_language(self, language: str | None, name: str) -> Any:
        """Return a key of the table for a language, under any of the language's ids, or None."""
        if language is None:
            return None
        wanted = canonical(language)
        values = (getattr(t, name) for id_, t in self.languages.items() if canonical(id_) == wanted)
        return next((value for value in values if value is not None), None)

    def _merged_languages(
        self, upper: Settings, given: Mapping[str, Any]
    ) -> dict[str, LanguageSettings]:
        merged = {
            name: _merged(self.languages.get(name, LanguageSettings()), above, given[name])
            for name, above in upper.languages.items()
        }
        return {**self.languages, **merged}

    def _named(self, name: str) -> OracleSettings:
        if name not in self.oracles:
            message = f"no oracle is called '{name}'{known_oracles(name, self.oracles)}"
            raise self.error((), message)
        return self.oracles[name]

    def _complete(self, oracle: OracleSettings, language: str | None) -> OracleSettings:
        unset = (name for name in _INHERITED_LIMITS if getattr(oracle, name) is None)
        limits = {name: getattr(self, name) for name in unset}
        formatter = self._of_language(language, "formatter")
        if formatter is None:
            formatter = self.formatter
        if formatter == AUTO:
            formatter = usual_formatter(language) or AUTO
        return replace(oracle, **limits, formatter=formatter, executor=self.executor)


def _merged(below: T, above: T, given: Mapping[str, Any] | None) -> T:
    """Return `below` with the keys that are `given` taken from `above`."""
    names = (name for name, value in (given or {}).items() if value is not None)
    return replace(below, **{name: getattr(above, name) for name in names})


def _no_choice(settings: Settings, language: str | None, fitting: list[str]) -> str:
    if fitting:
        names = ", ".join(fitting)
        return f'several oracles fit: {names}; name one, or set oracle = "{fitting[0]}"'
    if settings.oracles:
        subject = f"files in {language}" if language else "files of an unknown language"
        names = ", ".join(settings.oracles)
        return f"no oracle is for {subject}; name one of these, or add the language to it: {names}"
    return (
        "no oracle is set; give a command, set one up with `pollard init`, or add to pollard.toml a "
        'table [oracles.NAME] with command = ["PROGRAM", "{file}"]'
    )


def _in_order(problems: list[Problem]) -> list[Problem]:
    return sorted(problems, key=lambda problem: problem.line or 0)
