"""The question which other failure to reduce: what it offers, and what it leaves out."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

from pollard.oracle import OtherFailure, Signature
from pollard_server.protocol.arguments import ReduceOtherArguments
from pollard_server.protocol.results import OtherChosen
from pollard_server.records import Records
from pollard_server.reducing_others import OtherFailureReducer
from tests.server.records.making import URI, begun, records


def failures(*kinds: str) -> list[OtherFailure]:
    return [OtherFailure(Signature(kind), b"text") for kind in kinds]


def asked(place: Records, **more: Any) -> tuple[str, list[str]]:
    """Request another failure of a document; return the question and its titles."""
    questions: list[tuple[str, list[str]]] = []

    def ask(_: object, message: str, titles: list[str]) -> Future[str | None]:
        questions.append((message, titles))
        return Future()

    async def fetch_settings(_: str) -> None:
        pass

    session: Any = SimpleNamespace(fetch_settings=fetch_settings, client=SimpleNamespace(ask=ask))
    snapshot = SimpleNamespace(text="")
    document: Any = SimpleNamespace(uri=URI, name="crash.c", records=place, snapshot=snapshot)
    restoring: Any = None
    reducer = OtherFailureReducer(session, restoring)
    arguments = ReduceOtherArguments(uri=URI, **more)
    chosen = asyncio.run(reducer.reduce(document, arguments, lambda *_: None))
    assert chosen == OtherChosen(None, None, None)
    (question,) = questions
    return question


def test_the_newest_reduction_comes_first_and_the_same_words_once() -> None:
    place = records()
    begun(place).finish("finished", others=failures("SIGSEGV", "SIGABRT"))
    begun(place, original=b"other").finish("finished", others=failures("SIGABRT", "SIGBUS"))
    question, titles = asked(place)
    assert question == "Which failure of crash.c do you want to reduce?"
    assert titles == ["1: SIGABRT, 4 B", "2: SIGBUS, 4 B", "3: SIGSEGV, 4 B"]


def test_a_named_reduction_offers_only_its_own() -> None:
    place = records()
    first = begun(place)
    first.finish("finished", others=failures("SIGSEGV", "SIGABRT"))
    begun(place, original=b"other").finish("finished", others=failures("SIGBUS"))
    assert asked(place, record=first.id)[1] == ["1: SIGSEGV, 4 B", "2: SIGABRT, 4 B"]


def test_many_are_not_all_buttons() -> None:
    """Editors show the titles side by side; the message says that there are more."""
    place = records()
    begun(place).finish("finished", others=failures(*map("Error{}".format, range(9))))
    question, titles = asked(place)
    assert len(titles) == 6
    assert "(The history has 3 more.)" in question


def test_a_long_description_is_cut_but_keeps_its_size() -> None:
    place = records()
    begun(place).finish("finished", others=failures("a" * 200, "a" * 199 + "b"))
    _, titles = asked(place)
    assert len(set(titles)) == 2
    assert all(len(title) < 80 and title.endswith("…, 4 B") for title in titles)
