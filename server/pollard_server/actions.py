"""The code actions that a document gets: a pure function of its `Situation`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

KIND = "refactor.rewrite.reduce"
DIAGNOSTIC_KIND = f"{KIND}.diagnostic"
NO_ORACLE = "No oracle is configured; name its command under [oracles.NAME] in pollard.toml."

Action = lsp.CodeAction | lsp.Command


@dataclass(frozen=True, slots=True)
class OfferedDiagnostic:
    """A diagnostic that the editor shows, and its `text` as `--diagnostic` takes it.

    `name` is for people: the tool and the code, or the message without a code.
    """

    text: str
    name: str
    diagnostic: lsp.Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Everything that the code actions for a document depend on; must be cheap to create.

    - `selection` is None if nothing is selected.
    - `oracles` are the names of the oracles offered for the document, in order.
    - `obstacle` says why no oracle can run and what to do about it; None if one can. `obstacles`
      says the same of single oracles, by name.
    - `diagnostics` are those at the place that Pollard can reduce to, and `diagnostics_obstacle` says
      why it cannot do so now.
    - `running` is the state of the document's reduction, and `reduction` its id.
    - `last_is_diagnostic`: whether the last reduction kept a diagnostic, and needs no oracle to go on.
    - `only` are the action kinds that the editor asked for; None or empty means all.
    - `shows_disabled` and `knows_literals` are the editor's capabilities for code actions.
    """

    uri: str
    version: int | None = None
    selection: lsp.Range | None = None
    oracles: tuple[str, ...] = ()
    obstacle: str | None = None
    obstacles: Mapping[str, str] = field(default_factory=dict)
    diagnostics: tuple[OfferedDiagnostic, ...] = ()
    diagnostics_obstacle: str | None = None
    running: Literal["running", "paused"] | None = None
    reduction: str | None = None
    can_restore: bool = False
    can_step_back: bool = False
    can_continue: bool = False
    can_reduce_others: bool = False
    can_report: bool = False
    last_is_diagnostic: bool = False
    only: tuple[str, ...] | None = None
    shows_disabled: bool = True
    knows_literals: bool = True


@dataclass(frozen=True, slots=True)
class _Offer:
    """An action before it is adapted to the editor; `obstacle` says why it is disabled.

    `diagnostic` is the one that the action is about.
    """

    title: str
    command: str
    arguments: dict[str, Any]
    obstacle: str | None = None
    diagnostic: lsp.Diagnostic | None = None

    @property
    def kind(self) -> str:
        """The kind of the action."""
        return KIND if self.diagnostic is None else DIAGNOSTIC_KIND


def actions(situation: Situation) -> list[Action]:
    """Return the code actions in the order in which they are shown.

    An editor without CodeAction literals gets bare commands. An editor that does not show disabled
    actions does not get them.
    """
    if not is_requested(situation.only):
        return []
    offers = (
        _offers_while_running(situation) if situation.running else _offers_while_idle(situation)
    )
    shows_disabled = situation.shows_disabled and situation.knows_literals
    return [
        _action(offer, literal=situation.knows_literals)
        for offer in offers
        if is_requested(situation.only, (offer.kind,))
        and (offer.obstacle is None or shows_disabled)
    ]


def is_requested(
    only: Sequence[str] | None, kinds: Sequence[str] = (KIND, DIAGNOSTIC_KIND)
) -> bool:
    """Return whether a requested kind is one of Pollard's or contains it (see LSP, CodeActionKind)."""
    return not only or any(
        wanted in {"", kind} or kind.startswith(f"{wanted}.") for wanted in only for kind in kinds
    )


def _offers_while_running(situation: Situation) -> Iterator[_Offer]:
    job = {"id": situation.reduction} if situation.reduction else {"uri": situation.uri}
    yield _Offer("Stop reduction", "pollard.stop", job)
    if situation.running == "paused":
        yield _Offer("Resume reduction", "pollard.resume", job)
    else:
        yield _Offer("Pause reduction", "pollard.pause", job)


def _offers_while_idle(situation: Situation) -> Iterator[_Offer]:
    for shown in situation.diagnostics:
        yield _Offer(
            f"Reduce to this diagnostic: {shown.name}",
            "pollard.reduce",
            {**_buffer(situation), "diagnostic": shown.text},
            situation.diagnostics_obstacle,
            shown.diagnostic,
        )
    yield from _reductions(situation)
    document = {"uri": situation.uri}
    if situation.can_continue:
        arguments = {**_buffer(situation), "resume": True}
        title = "Continue the interrupted reduction"
        yield _Offer(title, "pollard.reduce", arguments, _obstacle_to_go_on(situation))
    if situation.can_restore:
        yield _Offer("Restore original", "pollard.restore", document)
    if situation.can_step_back:
        arguments = {**document, "choose": True}
        yield _Offer("Step back to an earlier reduction", "pollard.restore", arguments)
    if situation.can_reduce_others:
        title = "Reduce another failure"
        yield _Offer(title, "pollard.reduceOther", document, _obstacle_to_go_on(situation))
    if situation.can_report:
        yield _Offer("Open report", "pollard.report", document)


def _reductions(situation: Situation) -> Iterator[_Offer]:
    """Yield an action for each oracle, or a single disabled one if none of them can run."""
    title = "Reduce selection" if situation.selection else "Reduce file"
    obstacle = _obstacle(situation)
    if obstacle is not None:
        yield _Offer(title, "pollard.reduce", _buffer(situation), obstacle)
        return
    for name in situation.oracles:
        arguments = {**_buffer(situation), **_range(situation.selection), "oracle": name}
        full_title = f"{title} with {name}" if len(situation.oracles) > 1 else title
        yield _Offer(full_title, "pollard.reduce", arguments, situation.obstacles.get(name))


def _obstacle(situation: Situation) -> str | None:
    return situation.obstacle or (None if situation.oracles else NO_ORACLE)


def _obstacle_to_go_on(situation: Situation) -> str | None:
    if situation.last_is_diagnostic:
        return situation.diagnostics_obstacle
    return _obstacle(situation)


def _buffer(situation: Situation) -> dict[str, Any]:
    """Return the arguments that name the document and its present version."""
    version = {} if situation.version is None else {"version": situation.version}
    return {"uri": situation.uri, **version}


def _range(selection: lsp.Range | None) -> dict[str, Any]:
    if selection is None:
        return {}
    ends = {"start": selection.start, "end": selection.end}
    positions = {name: {"line": end.line, "character": end.character} for name, end in ends.items()}
    return {"range": positions}


def _action(offer: _Offer, *, literal: bool) -> Action:
    action = lsp.CodeAction(
        title=offer.title,
        kind=offer.kind,
        diagnostics=None if offer.diagnostic is None else [offer.diagnostic],
    )
    if offer.obstacle is not None:
        action.disabled = lsp.CodeActionDisabled(reason=offer.obstacle)
        return action
    command = lsp.Command(title=offer.title, command=offer.command, arguments=[offer.arguments])
    action.command = command
    return action if literal else command
