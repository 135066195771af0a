"""From settings to the plan of a reduction, for all front ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.limits import SearchLimits
from pollard.oracle.predicate import Predicate
from pollard.plan import Plan
from pollard.settings.usual_formatters import notes_on
from pollard.speculation import Speculation

if TYPE_CHECKING:
    from pollard.oracle.predicate import AnyOracle
    from pollard.passes.strategy import Strategy
    from pollard.settings.settings import Settings
    from pollard.syntax.encodings.encoding import Encoding
    from pollard.syntax.grammars.languages import Grammar


def plan_of(
    settings: Settings,
    *,
    text: bytes,
    filename: str,
    oracle: AnyOracle,
    grammar: Grammar | None,
    plain: bool = False,
    strategy: Strategy | None = None,
    region: tuple[int, int] | None = None,
    encoding: Encoding | None = None,
) -> Plan:
    """Return the plan for a text under these settings; `Plan` explains the arguments.

    The command line, the language server and this module all make their plans with it. Raises
    `OracleError` if the cluster of the oracle cannot be asked for its workers.
    """
    return Plan(
        text=text,
        filename=filename,
        oracle=oracle,
        notes=notes_on(oracle.formatter, grammar.name if grammar else None),
        grammar=grammar,
        plain=plain,
        strategy=strategy,
        renaming=settings.renaming,
        jobs=_jobs(settings, oracle),
        speculation=Speculation(settings.speculation),
        region=region,
        encoding=encoding,
        guard=settings.guard,
        preprocessing=settings.preprocessing.to_preprocessing(),
        learn_invalid=settings.learn_invalid,
        checks=settings.checks,
        cache=settings.cache,
        search_limits=SearchLimits(settings.max_runs or None, settings.max_time),
    )


def _jobs(settings: Settings, oracle: AnyOracle) -> int:
    """Return the number of runs at a time; on a cluster, by default, all that its workers can do.

    An editor is asked about one text at a time.
    """
    if not isinstance(oracle, Predicate) and oracle.diagnoser is not None:
        return 1
    cluster = None if isinstance(oracle, Predicate) else oracle.cluster
    if cluster is None or settings.jobs != "auto":
        return settings.workers
    from pollard.executors.cluster.scheduler_connection import threads_of  # noqa: PLC0415 (rare)

    return threads_of(cluster)
