"""The pin changes with everything that a consent covers, and with nothing else."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.command import Cluster
from pollard.oracle.diagnostics.surroundings import Surroundings
from pollard_server.trust import pin
from pollard_server.trust.covered_files import named_files, walk
from pollard_server.trust.pin import Pins, hash_input

WORDS = st.text(st.sampled_from("ab1:, '\"()\n\ud800{}"), max_size=5)
COMMANDS = st.one_of(
    WORDS.filter(str.strip),
    st.lists(WORDS, min_size=1, max_size=3).map(tuple).filter(lambda words: words[0].strip()),
)
CODES = st.lists(st.integers(0, 3), max_size=2).map(tuple)
PATTERNS = st.none() | st.sampled_from(["", "a", "ab"])
CRITERIA = st.builds(
    Criteria,
    exit_code=CODES,
    not_exit_code=CODES,
    signal=CODES,
    stdout=PATTERNS,
    output=PATTERNS,
    diagnostic=st.sampled_from([(), ("ruff:F401",), ("ruff:F401", "ruff:F821")]),
)
SURROUNDINGS = st.builds(
    Surroundings,
    root=st.sampled_from([Path("/no/such"), Path("/no")]),
    inside=st.sampled_from([Path(), Path("a")]),
    links=st.sampled_from([(), (Path("/no/such/c"),)]),
    neighbours=st.booleans(),
)
NAMES = st.lists(st.sampled_from(["a", "b", "a/b"]), max_size=2)
ORACLES = st.builds(
    CommandOracle,
    command=COMMANDS,
    stdin=st.booleans(),
    criteria=CRITERIA,
    invalid=st.none() | CRITERIA,
    files=NAMES.map(lambda names: tuple(map(Path, names))),
    workspace=st.sampled_from([Path("/no/such/ws"), Path("/no/such")]),
    formatter=st.none() | COMMANDS,
    surroundings=st.none() | SURROUNDINGS,
    is_server=st.booleans(),
    cluster=st.sampled_from([None, Cluster("tcp://a:1"), Cluster("tcp://b:1")]),
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=8,
)


def test_a_limit_that_must_be_exceeded_is_covered() -> None:
    """It decides when a run counts; other limits only decide when it ends."""

    def limited(seconds: float, **criteria: str) -> CommandOracle:
        return CommandOracle("tool", timeout=seconds, criteria=Criteria(**criteria))

    assert pin(limited(1, exceeds="timeout")) != pin(limited(2, exceeds="timeout"))
    assert pin(limited(1, exceeds="timeout")) != pin(limited(1))
    assert pin(limited(1)) == pin(limited(2))


@given(ORACLES, ORACLES)
def test_distinct_oracles_have_distinct_pins(one, other):
    assume(one != other)
    assert pin(one) != pin(other)
    assert pin(one) == pin(replace(one))


@given(VALUES, VALUES)
def test_the_encoding_is_unambiguous(one, other):
    assert (hash_input(one) == hash_input(other)) == (repr(one) == repr(other))


def test_neighbouring_texts_do_not_run_together():
    assert hash_input(("ab", "c")) != hash_input(("a", "bc")) != hash_input(("a", ("bc",)))
    for inner in ("astr:b", "astr 1:b", "a1:b"):
        assert hash_input(("a", "b")) != hash_input((inner,))


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "a ws"
    folder.mkdir()
    return folder


def write(path, text="one"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_a_scheduler_file_that_the_workspace_can_change_is_part_of_the_pin(workspace, tmp_path):
    inside, outside = write(workspace / "a.json"), write(tmp_path / "b.json")
    for file, is_covered in ((inside, True), (outside, False)):
        oracle = CommandOracle("cc", workspace=workspace, cluster=Cluster(scheduler_file=file))
        before = pin(oracle)
        file.write_text("two")
        assert (pin(oracle) != before) is is_covered


def test_limits_names_and_repetitions_need_no_new_consent(workspace):
    oracle = CommandOracle("cc {file}", workspace=workspace)
    same = replace(
        oracle,
        name="other",
        timeout=1.0,
        memory=5,
        output_limit=7,
        runs_required=(2, 3),
        languages=("c",),
    )
    assert pin(oracle) == pin(same)


@pytest.mark.parametrize(
    "command",
    [
        ("{workspace}/tools/run.sh", "{file}"),
        ("./tools/run.sh", "{file}"),
        ("sh", "tools/run.sh"),
        ("sh", "-c", "{workspace}/tools/run.sh {file} | grep x"),
        ("cc", "--plugin={workspace}/tools/run.sh"),
        "tools/run.sh {file}",
        "x=1;./tools/run.sh<{file}",
        "cd {workspace}/tools && ./run.sh {file}",
        "'{workspace}/tools/run.sh' {file}",
        "echo $(tools/run.sh)",
        ("{workspace}/../a ws/tools/run.sh",),
        "unbalanced ' tools/run.sh",
    ],
)
def test_a_script_that_the_command_names_is_part_of_the_pin(workspace, command):
    script = write(workspace / "tools" / "run.sh")
    oracle = CommandOracle(command, workspace=workspace)
    before = pin(oracle)
    script.write_text("two")
    assert pin(oracle) != before


def test_a_program_on_path_inside_the_workspace_is_part_of_the_pin(workspace, monkeypatch):
    program = write(workspace / ".venv" / "bin" / "mytool")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    for command in (("mytool", "{file}"), "! mytool {file}"):
        oracle = CommandOracle(command, workspace=workspace)
        before = pin(oracle)
        program.write_text(f"two {command}")
        assert pin(oracle) != before


def test_a_consent_for_files_as_they_are_is_none_for_versions_of_them(workspace):
    oracle = CommandOracle("./run.sh", files=(Path("config.h"),), workspace=workspace)
    assert pin(oracle) != pin(replace(oracle, reduce_files=True))


def test_files_outside_the_workspace_are_not_covered(workspace, tmp_path):
    outside = write(tmp_path / "outside.sh")
    assert named_files((str(outside), "/bin/sh"), workspace) == []


def test_a_link_out_of_the_workspace_and_a_neighbour_are_covered(workspace, tmp_path):
    outside = write(tmp_path / "outside.sh")
    (workspace / "link.sh").symlink_to(outside)
    assert named_files(("./link.sh",), workspace) == [workspace / "link.sh"]
    assert named_files(("../outside.sh",), workspace) == [workspace / "../outside.sh"]
    inward = tmp_path / "inward.sh"
    inward.symlink_to(write(workspace / "inside.sh"))
    assert named_files((str(inward),), workspace) == [inward]


def test_a_file_that_appears_or_disappears_changes_the_pin(workspace):
    oracle = CommandOracle("./run.sh", files=(Path("config.h"),), workspace=workspace)
    pins = [pin(oracle)]
    write(workspace / "run.sh")
    pins.append(pin(oracle))
    write(workspace / "config.h", "")
    pins.append(pin(oracle))
    (workspace / "config.h").unlink()
    (workspace / "config.h").mkdir()
    pins.append(pin(oracle))
    assert len(set(pins)) == 4


def test_folders_among_the_files_are_covered_completely(workspace):
    leaf = write(workspace / "include" / "sub" / "deep.h")
    oracle = CommandOracle("cc", files=(Path("include"),), workspace=workspace)
    pins = {pin(oracle)}
    leaf.write_text("two")
    pins.add(pin(oracle))
    leaf.rename(leaf.with_name("deeper.h"))
    pins.add(pin(oracle))
    write(workspace / "include" / "new.h", "")
    pins.add(pin(oracle))
    (workspace / "include" / "empty").mkdir()
    pins.add(pin(oracle))
    assert len(pins) == 5


def test_a_file_that_is_only_touched_needs_no_new_consent(workspace):
    oracle = CommandOracle("./run.sh", files=(Path("config.h"),), workspace=workspace)
    files = [write(workspace / name) for name in ("run.sh", "config.h")]
    before = pin(oracle)
    for file in files:
        os.utime(file, (1, 1))
    assert pin(oracle) == before


def test_links_are_followed_and_circles_end(workspace, tmp_path):
    target = write(tmp_path / "target" / "a.h")
    (workspace / "include").mkdir()
    (workspace / "include" / "link").symlink_to(target.parent)
    (workspace / "include" / "circle").symlink_to(workspace / "include")
    (workspace / "include" / "nowhere").symlink_to(workspace / "nowhere")
    (workspace / "include" / "itself").symlink_to(workspace / "include" / "itself")
    oracle = CommandOracle("cc", files=(Path("include"),), workspace=workspace)
    before = pin(oracle)
    target.write_text("two")
    assert pin(oracle) != before
    names = [covered.name for covered in walk("i", workspace / "include")]
    assert names == ["i", "i/circle", "i/itself", "i/link", "i/link/a.h", "i/nowhere"]


def test_unreadable_files_are_part_of_the_pin_and_no_error(workspace):
    os.mkfifo(workspace / "pipe")  # opening it would wait for ever
    oracle = CommandOracle(
        "cat pipe\0 a\0b " + "x" * 5000, files=(Path("pipe"),), workspace=workspace
    )
    assert pin(oracle) == pin(oracle)
    assert pin(replace(oracle, files=(Path("nul\0l"),))) != pin(oracle)
    assert pin(replace(oracle, files=(Path("y" * 5000),))) != pin(oracle)


def test_large_files_are_known_by_their_size_and_time(workspace):
    large = workspace / "large.bin"
    with large.open("wb") as stream:
        stream.truncate(1 << 40)  # sparse: nobody could read it in time
    (covered,) = walk("large", large)
    assert covered.content()[:2] == ("large", 1 << 40)


def test_nothing_is_read_again_while_nothing_changes(workspace, monkeypatch):
    script = write(workspace / "run.sh")
    oracle = CommandOracle("./run.sh", workspace=workspace)
    pins = Pins()
    first = pins.soon(oracle)
    assert first == pin(oracle)
    monkeypatch.setattr("pollard_server.trust.covered_files._hash", pytest.fail)
    assert pins.soon(oracle) == first
    monkeypatch.undo()
    script.write_text("two, longer")
    second = pins.soon(oracle)
    assert second == pin(oracle) != first
    script.unlink()
    assert pins.soon(oracle) == pin(oracle) != second


def test_a_change_that_keeps_size_and_time_is_seen_too(workspace):
    script = write(workspace / "run.sh", "one")
    oracle = CommandOracle("./run.sh", workspace=workspace)
    pins = Pins()
    first, status = pins.soon(oracle), script.stat()
    while script.stat().st_ctime_ns == status.st_ctime_ns:  # its clock may tick slowly
        script.write_text("two")
        os.utime(script, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert pins.soon(oracle) == pin(oracle) != first


def test_menus_do_not_wait_for_much_to_read(workspace, monkeypatch):
    """Until a request has read them, many or large files leave the pin unknown."""
    oracle = CommandOracle("cc", files=(Path("many"),), workspace=workspace)
    for number in range(300):
        write(workspace / "many" / f"{number}.h")
    pins = Pins()
    assert pins.soon(oracle) is None
    known = pins.now(oracle)
    assert pins.soon(oracle) == known == pin(oracle)
    large = CommandOracle("cc", files=(Path("large"),), workspace=workspace)
    write(workspace / "large", "x" * (2 << 20))
    assert pins.soon(large) is None
    assert pins.soon(replace(large, command="cc " * 5000)) is None


def test_only_the_latest_oracles_are_remembered(workspace):
    pins = Pins()
    for number in range(200):
        pins.now(CommandOracle(f"cc {number}", workspace=workspace))
    assert len(pins._known) < 100


def test_a_script_that_the_formatter_names_is_part_of_the_pin(workspace):
    script = write(workspace / "tidy.sh")
    oracle = CommandOracle("cc {file}", workspace=workspace, formatter="{workspace}/tidy.sh -")
    before = pin(oracle)
    script.write_text("two")
    assert pin(oracle) != before


def test_a_look_sees_that_the_formatters_script_changed(workspace):
    script = write(workspace / "tidy.sh")
    oracle = CommandOracle("cc {file}", workspace=workspace, formatter=("./tidy.sh",))
    pins = Pins()
    before = pins.now(oracle)
    assert pins.soon(oracle) == before
    script.write_text("another")
    assert pins.soon(oracle) not in (None, before)


def test_without_a_formatter_the_pin_is_the_one_of_earlier_versions():
    """Consents from before formatters existed are still valid."""
    known = "33350d78e59badc375d3ab0b078bbc371cda45c480f2389648f991c2dd53e454"
    assert pin(CommandOracle(("cc", "{file}"), workspace=Path("/no/such"))) == known


def test_the_pin_changes_with_the_usual_formatter_that_is_found(workspace):
    """What `formatter = "auto"` means is part of the oracle that is pinned."""
    pins = [
        pin(CommandOracle("cc {file}", workspace=workspace, formatter=formatter))
        for formatter in ((), ("/usr/bin/black", "-q", "-"), ("/opt/bin/black", "-q", "-"))
    ]
    assert len(set(pins)) == 3
