"""A reduction in an editor on a Dask cluster: the user is asked, and *stop* reaches the workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import oracle_processes
from tests.core.executors.clusters import SmallCluster, wait_until
from tests.server.e2e import documents
from tests.server.e2e.documents import NEEDLES
from tests.server.e2e.scenes import held
from tests.server.editor import NO, Answers, Workspace

pytestmark = [pytest.mark.cluster, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def cluster(tmp_path: Path, workspace: Workspace) -> Iterator[SmallCluster]:
    """A cluster of two workers, which the workspace's settings name."""
    with SmallCluster(tmp_path) as cluster:
        cluster.add("one", "two")
        table = f'[executor]\nkind = "dask"\nscheduler_file = "{cluster.file}"\n'
        workspace.configure(table, workspace.oracle(NEEDLES))
        yield cluster


async def test_the_buffer_is_reduced_on_the_workers(start, cluster: SmallCluster) -> None:
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "done"
    assert documents.needles(buffer.text) == 3
    (question,) = [each for each in editor.seen.questions if "May Pollard run" in each.message]
    assert f"the workers of the scheduler of {cluster.file}" in question.message
    assert cluster.left_behind() == []


async def test_stop_leaves_no_process_on_the_workers(
    start, workspace: Workspace, cluster: SmallCluster
) -> None:
    editor = await start()
    buffer = editor.open("case.txt", documents.lines())
    job = await held(editor, buffer)
    assert oracle_processes(os.environ["POLLARD_STATE_DIR"])
    editor.cancel(editor.seen.tokens[-1])
    assert (await editor.ended(job))["state"] == "stopped"
    wait_until(lambda: not oracle_processes(os.environ["POLLARD_STATE_DIR"]))
    assert cluster.left_behind() == []


async def test_without_consent_nothing_is_sent(
    start, workspace: Workspace, cluster: SmallCluster
) -> None:
    editor = await start(answers=Answers(consent=NO))
    buffer = editor.open("case.txt", documents.lines())
    assert (await editor.reduced(buffer))["state"] == "failed"
    assert workspace.runs == []
