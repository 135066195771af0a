"""Programs for Node.js that stay loaded: what a run shows, and what the next one must not see."""

from __future__ import annotations

import shutil
from dataclasses import replace

import psutil
import pytest

from pollard.executors import check_oracle, open_executor
from pollard.executors.warm.node_runner import NodeRunner
from pollard.executors.warm.persistent import MAX_CANDIDATES
from pollard.oracle import CommandOracle, Criteria, Verdict
from pollard.oracle.warm.warm_runs import WarmRuns
from pollard.reduction import Plan, Reduction
from pollard.syntax.grammars.languages import find
from tests.core.executors.warm_programs import OFF, seen

pytestmark = pytest.mark.recipes

#: Executes the candidate; a module that it requires counts how often it was asked.
_EXECUTES = """\
#!/usr/bin/env node
const fs = require("fs");
const count = require("./count");
const text = fs.readFileSync(process.argv[2], "utf8");
process.on("exit", () => process.stdout.write("the end\\n"));
console.log(process.cwd() === require("path").dirname(process.argv[2]), process.env.SET);
eval(text);
"""
_COUNT = "let count = 0; module.exports = () => (count += 1);"

HOSTILE = {
    "what all programs use is changed": "Array.prototype.map = JSON.stringify = Buffer.concat = null",
    "all descriptors are closed": "for (let fd = 0; fd < 99; fd++) try { fs.closeSync(fd) } catch {}",
    "an abort": "process.abort()",
    "a daemon": (
        "require('child_process')"
        ".spawn('sleep', ['99.5'], { detached: true, stdio: 'ignore' }).unref()"
    ),
    "files in its directory": "fs.mkdirSync('a/b', { recursive: true }); fs.writeFileSync('a/b/c', '')",
    "its own directory goes": "fs.rmSync(process.cwd(), { recursive: true })",
    "a promise that nobody handles": "Promise.reject(new Error('x'))",
    "a lot of output": "console.log('x'.repeat(3000000))",
    "memory that is never freed": "(globalThis.held ??= []).push(Buffer.alloc(100000))",
    "an endless recursion": "(function again() { again(); })()",
    "work without an end": "(function again() { setImmediate(again); })(); process.exit(3)",
}


@pytest.fixture
def tool(tmp_path):
    """A program as npm installs it, of two modules."""
    tool = tmp_path / "tool.js"
    tool.write_text(_EXECUTES)
    tool.chmod(0o755)
    (tmp_path / "count.js").write_text(_COUNT)
    assert shutil.which("node"), "node is not installed"
    return tool


def oracle(tool, **settings):
    # Node.js itself may hang as a run ends (nodejs/node#54918): the limit ends it, and it is repeated.
    given = {"criteria": Criteria(exit_code=(3,)), "sandbox": OFF, "timeout": 20.0}
    given["warm"] = WarmRuns.ON
    return CommandOracle((str(tool), "{file}"), **{**given, **settings})


@pytest.fixture
def executor(tool):
    with open_executor(oracle(tool), "case.js") as executor:
        assert isinstance(executor, NodeRunner)
        text = b"process.exit(3)"
        trial = executor.trial(text, [executor.run(text, capture=True)])
        assert trial.is_warm, str(trial)
        yield executor


@pytest.mark.parametrize(
    "text",
    [
        b"process.exitCode = 3",
        b"process.exit(3); console.log('never')",
        b"setTimeout(() => process.exit(3), 20); console.log('first')",
        b"Promise.resolve().then(() => { console.error('late'); process.exitCode = 3; })",
        b"process.on('uncaughtException', () => { process.exitCode = 3; }); throw new Error('x')",
        b"setTimeout(() => console.log('never'), 1e6); process.exit(3)",
        b"setInterval(() => {}, 1); require('net').createServer().listen(0, () => process.exit(3))",
        b"process.stdin.on('data', () => {}).on('end', () => process.exit(3))",
        b"console.log('x'.repeat(300000)); process.exitCode = 3",
        b"process.stdout.write('\\u00e4', () => process.exit(3))",
        b"Promise.resolve().then(() => setInterval(() => {}, 1)); process.exit(3)",
        b"(function again() { setImmediate(again); })(); setTimeout(() => process.exit(3), 5)",
        b"new (require('worker_threads').Worker)('for (;;);', { eval: true }); process.exit(3)",
        b"process.exit(256 + 3)",
        b"process.exit(-1)",
        b"console.log(fs.readFileSync(0).length); process.exit(3)",
        b"",
    ],
)
def test_a_warm_run_shows_what_a_cold_one_shows(executor, text):
    assert seen(executor.run(text)) == seen(executor.run(text, capture=True))


def test_a_process_stays_and_its_modules_too(executor):
    runs = [executor.run(b"console.log(process.pid, count())") for _ in range(3)]
    words = [run.stdout.split()[2:4] for run in runs]
    assert len({process for process, _ in words}) == 1
    counts = [int(count) for _, count in words]
    assert counts == list(range(counts[0], counts[0] + 3))


def test_what_a_run_waits_for_ends_with_an_error_that_nobody_catches(executor):
    text = b"Promise.reject(new Error('x')); setTimeout(() => console.log('later'), 10)"
    warm, cold = executor.run(text), executor.run(text, capture=True)
    assert (warm.exit_code, warm.stdout) == (cold.exit_code, cold.stdout) == (1, warm.stdout)
    assert b"later" not in warm.stdout


@pytest.mark.parametrize(
    "text",
    [
        b"null.length",
        b"throw Object.assign(new RangeError('x'), { place: { line: { of: [1, { a: 2 }] } } })",
        b"Promise.reject(new Error('x'))",
        b"setTimeout(() => { throw new Error('x'); }, 5)",
    ],
)
def test_an_error_that_nobody_catches_shows_all_but_the_line_that_threw_it(tool, text):
    crash = oracle(tool, criteria=Criteria(output="Error"))
    checked = check_oracle(crash, "case.js", text, runs=1)
    assert checked.warm.is_warm, str(checked.warm)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("main.js", "if (require.main === module) process.exit(3);"),
        ("main.mjs", "import fs from 'node:fs'; process.exit(3);"),
        ("module/main.js", "import fs from 'node:fs'; process.exit(await 3);"),
    ],
)
def test_a_program_is_the_main_module_of_either_kind(tmp_path, tool, name, source):
    path = tmp_path / name
    (tmp_path / "module").mkdir(exist_ok=True)
    (tmp_path / "module" / "package.json").write_text('{"type": "module"}')
    path.write_text(source)
    main = replace(oracle(tool), command=("node", str(path), "{file}"))
    checked = check_oracle(main, "case.js", b"", runs=1)
    assert checked.warm.is_warm, str(checked.warm)


def test_what_a_run_does_to_its_process_is_undone(executor):
    executor.run(
        b"process.env.SET = 'x'; process.chdir('/'); process.exitCode = 3; process.argv.pop();"
        b"process.on('exit', () => console.log('again'));"
    )
    run = executor.run(b"")
    assert (run.exit_code, run.stdout) == (0, b"true undefined\nthe end\n")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_search_has_the_result_and_the_runs_of_a_cold_one(tool, jobs):
    text = b"".join(b"let a%d = %d;\n" % (number, number) for number in range(9))
    text += b"process.exit(3);\n"
    results = [
        Reduction(
            Plan(
                text, "case.js", oracle(tool, warm=warm), find("javascript"), cache=False, jobs=jobs
            )
        ).run()
        for warm in (WarmRuns.OFF, WarmRuns.ON)
    ]
    assert len({(result.text, result.counts.runs) for result in results}) == 1


def test_a_program_that_dies_is_started_again(executor):
    assert executor.run(b"process.kill(process.pid, 'SIGKILL')").signal == 9
    assert executor.run(b"process.exit(3)").verdict is Verdict.INTERESTING


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_follows_a_hostile_program_has_its_own_verdict(executor, text):
    executor.run(text.encode())
    verdicts = [
        executor.run(text).verdict for text in (b"process.exit(3)", b"1", b"process.exit(3)")
    ]
    assert verdicts == [Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.INTERESTING]


def test_hundreds_of_runs_leave_no_process_no_file_and_no_descriptor(executor):
    """More than a process gets before it is replaced, and what it left behind with it."""
    _leaves_nothing(executor, MAX_CANDIDATES)


@pytest.mark.exhaustive
def test_a_thousand_runs_leave_nothing_and_take_no_more_memory(executor):
    memory = _leaves_nothing(executor, 1000)
    assert memory < 8 << 20


def _leaves_nothing(executor, runs):
    """Let all hostile programs and then `runs` others run; return how much memory we took for them."""
    me = psutil.Process()
    before = me.num_fds(), _programs_below(me)
    memory = me.memory_info().rss
    hostile = [text.encode() for text in HOSTILE.values()]
    for text in hostile + runs * [b"process.exit(3)"]:
        executor.run(text)
    memory = me.memory_info().rss - memory
    assert (me.num_fds(), _programs_below(me)) == before
    executor.close()
    assert "node" not in _programs_below(me)
    assert not executor._directories.root.exists()
    return memory


def _programs_below(process):
    return sorted(each.name() for each in process.children(recursive=True))


def test_an_answer_that_breaks_the_protocol_makes_runs_cold(executor):
    assert executor.run(b"fs.writeSync(1, 'raw\\n'); process.exit(3)").stdout.startswith(b"true")
    assert not executor.is_warm
    assert executor.run(b"process.exit(3)").verdict is Verdict.INTERESTING


def test_a_program_that_works_only_once_in_a_process_is_left_cold(tool):
    tool.with_name("count.js").write_text("process.exitCode = 3; module.exports = null;")
    checked = check_oracle(oracle(tool), "case.js", b"1", runs=1)
    assert checked.warm is not None
    assert not checked.warm.is_warm


@pytest.mark.parametrize("command", [("node", "tool.js"), ("node", "-e", "1"), "node tool.js"])
def test_a_command_without_the_full_path_of_a_script_is_left_cold(command):
    with open_executor(CommandOracle(command, sandbox=OFF, warm=WarmRuns.ON), "case.js") as opened:
        assert not isinstance(opened, NodeRunner)
