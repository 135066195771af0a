"""Each write fails in turn: nothing is lost, a sentence says what is wrong, and one can go on."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from pollard.cli.console import REDUCED, UNEXPECTED, USAGE
from pollard.errors import PollardError
from tests.core.cli.helpers import JSON, NEEDLE, pollard
from tests.fuzz.faults import FAULTS, Faults, faults
from tests.server.records.making import ORIGINAL, TEXTS, begun, records, reduced

__all__ = ["faults"]

_SEVERAL = 9  # everyday runs try every ninth write


class Reduction:
    """A reduction whose journal, cache, result and temporary files are in folders of their own."""

    def __init__(self, folder: Path, faults: Faults, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.faults = folder, faults
        self.places = {name: folder / name for name in ("state", "cache", "result", "tmp")}
        for path in self.places.values():
            path.mkdir(parents=True)
        monkeypatch.setenv("POLLARD_STATE_DIR", str(self.places["state"]))
        monkeypatch.setenv("POLLARD_CACHE_DIR", str(self.places["cache"] / "new"))
        monkeypatch.setenv("TMPDIR", str(self.places["tmp"]))
        monkeypatch.setattr("tempfile.tempdir", None)
        self.file = self.places["result"] / "bug.json"
        self.file.write_text(JSON)

    def run(self, *options: str, place: str = "state", fatal: int = 0, code: int = 0):
        with self.faults.below(self.places[place], fatal, code):
            words = ("reduce", "bug.json", "-j1", *options, "--", *NEEDLE)
            return pollard(*words, cwd=self.file.parent)

    def result(self, *, in_place: bool) -> str:
        return (self.file if in_place else self.file.with_name("bug.reduced.json")).read_text()


def assert_nothing_is_lost(
    reduction: Reduction, place: str, fatal: int, code: int, options
) -> bool:
    """Return whether there was a fault: False once `fatal` is beyond the last write."""
    done = reduction.run(*options, place=place, fatal=fatal, code=code)
    was_hit = reduction.faults.count >= fatal
    assert done.returncode != UNEXPECTED, done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode != REDUCED:
        assert done.returncode == USAGE, done.stderr
        assert 1 <= len(done.stderr.strip().splitlines()) <= 3, done.stderr
    originals = [reduction.file, reduction.file.with_name("bug.orig.json")]
    assert JSON in [path.read_text() for path in originals if path.exists()], "the original is lost"
    again = reduction.run(*options, "--resume")
    if "no interrupted reduction" in again.stderr:
        again = reduction.run(*options)
    assert again.returncode in (REDUCED, 1), again.stderr
    return was_hit


def try_each(tmp_path, faults, monkeypatch, place, options, step) -> None:
    """Fail the writes 1, 1 + step, ... of a reduction of its own each, in all ways in turn."""
    whole = Reduction(tmp_path / "whole", faults, monkeypatch)
    assert whole.run(*options).returncode == REDUCED
    expected = whole.result(in_place=bool(options))
    for fatal, code in zip(itertools.count(1, step), itertools.cycle(FAULTS.values())):
        reduction = Reduction(tmp_path / str(fatal), faults, monkeypatch)
        was_hit = assert_nothing_is_lost(reduction, place, fatal, code, options)
        assert reduction.result(in_place=bool(options)) == expected
        if not was_hit:
            return


@pytest.mark.parametrize("place", ["state", "result"])
def test_several_writes_fail(tmp_path, faults, monkeypatch, place):
    try_each(tmp_path, faults, monkeypatch, place, (), _SEVERAL)


@pytest.mark.exhaustive
@pytest.mark.parametrize("options", [(), ("--in-place",)], ids=["beside", "in place"])
@pytest.mark.parametrize("place", ["state", "cache", "result", "tmp"])
def test_every_write_fails_once(tmp_path, faults, monkeypatch, place, options):
    try_each(tmp_path, faults, monkeypatch, place, options, 1)


@pytest.mark.parametrize("code", FAULTS.values(), ids=FAULTS.keys())
def test_a_record_is_whole_or_not_there(tmp_path, faults, monkeypatch, code):
    """What the server writes of one reduction: each of its writes fails once."""
    for fatal in itertools.count(1):
        folder = tmp_path / str(fatal)
        monkeypatch.setenv("POLLARD_STATE_DIR", str(folder))
        with faults.below(folder, fatal, code):
            error = _recorded()
        assert error is None or isinstance(error, PollardError)
        for record in records().all():
            texts = [record.text(number) for number in range(len(record.steps()) + 1)]
            assert texts == [ORIGINAL, *TEXTS][: len(texts)]
            assert error is not None or record.best == TEXTS[-1]
        if faults.count < fatal:
            return


def _recorded() -> Exception | None:
    try:
        record = begun()
        reduced(record, TEXTS)
        record.finish("finished", best=TEXTS[-1])
    except Exception as error:
        return error
    return None


def test_names_follow_contents_to_the_disk(tmp_path, faults, monkeypatch):
    """So a power cut leaves the old file or the new one, and a text that was reported is there."""
    reduction = Reduction(tmp_path, faults, monkeypatch)
    with faults.below(tmp_path, 0, 0):
        words = ("reduce", "bug.json", "-j1", "--in-place", "--", *NEEDLE)
        assert pollard(*words, cwd=reduction.file.parent).returncode == REDUCED
        begun()
        log = [each for each in faults.log if str(tmp_path / "tmp") not in each[1]]
    renames = [index for index, each in enumerate(log) if each[0] == "os.rename"]
    assert len(renames) > 8
    for index in renames:
        source, target = log[index][1:]
        if not target.endswith("000001"):  # a record's directory, of which each file was synced
            assert ("sync", source) in log[:index], target
        assert ("sync", str(Path(target).parent)) in log[index:], target
    results = [index for index in renames if log[index][2].endswith("bug.json")]
    (copied,) = [index for index in renames if log[index][2].endswith("bug.orig.json")]
    assert copied < results[0], "the original is safe before the file changes"
    for number, index in enumerate(results, 1):
        accepted = [each for each in log[:index] if each[0] == "sync" and "reductions" in each[1]]
        assert len(accepted) >= number, "a text is in the journal before it is the result"
    written = {each[1] for each in log if each[0] == "open" and each[1].endswith("/original")}
    assert len(written) == 1
    assert all(("sync", path) in log for path in written), "the original of a record"
