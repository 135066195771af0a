"""Looks for known vulnerabilities in all locked packages, by pip-audit or npm.

Usage: audit.py PIP_AUDIT LOCK   or   audit.py npm FOLDER

Exit codes: 0 no package has one, 1 some have, 75 it is not known of all packages. That happens where
the service cannot be reached. pip-audit itself reports success if it found nothing about any package.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

NOT_KNOWN = 75  # EX_TEMPFAIL in sysexits.h
_SHOWN_CHARACTERS = 300


class Audit(NamedTuple):
    """The packages that were looked up, sentences about vulnerable ones, and why some are not known."""

    packages: int
    vulnerable: list[str]
    not_known: str

    @property
    def exit_code(self) -> int:
        """The exit code of this program."""
        if self.vulnerable:
            return 1
        return NOT_KNOWN if self.not_known else 0

    def __str__(self) -> str:
        lines = list(self.vulnerable)
        if self.not_known:
            lines.append(f"NOT AUDITED: {self.not_known}")
        return "\n".join(lines or [f"{self.packages} packages, no known vulnerability"])


def read_pip_audit(printed: str, errors: str) -> Audit:
    """Read what `pip-audit -f json` printed."""
    report = _json(printed)
    if "dependencies" not in report:
        return Audit(0, [], f"the service did not answer: {_last_line(errors)}")
    packages = report["dependencies"]
    skipped = [package["skip_reason"] for package in packages if "skip_reason" in package]
    vulnerable = [
        f"{package['name']} {package['version']}: {found['id']}"
        for package in packages
        for found in package.get("vulns", ())
    ]
    reason = f"{len(skipped)} of {len(packages)} packages, such as: {skipped[0]}" if skipped else ""
    if not packages:
        reason = "the lock names no package"
    return Audit(len(packages), vulnerable, reason)


def read_npm_audit(printed: str, errors: str) -> Audit:
    """Read what `npm audit --json` printed."""
    report = _json(printed)
    if "metadata" not in report:
        message = report.get("message") or _last_line(errors)
        return Audit(0, [], f"the service did not answer: {message}")
    vulnerable = [
        f"{name} {found['range']}: {found['severity']}"
        for name, found in sorted(report["vulnerabilities"].items())
    ]
    packages = report["metadata"]["dependencies"]["total"]
    return Audit(packages, vulnerable, "" if packages else "the lock names no package")


def _json(printed: str) -> dict[str, Any]:
    try:
        report = json.loads(printed)
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip() and "complete log" not in line]
    return lines[-1].strip()[:_SHOWN_CHARACTERS] if lines else "it said nothing"


def _audited(tool: str, place: str) -> Audit:
    if tool == "npm":
        return read_npm_audit(*_output(["npm", "audit", "--json"], Path(place)))
    options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "-f", "json"]
    return read_pip_audit(*_output([tool, *options, "-r", place], Path.cwd()))


def _output(command: list[str], folder: Path) -> tuple[str, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout, done.stderr


def main() -> None:
    """Audit what the command line names, and print what was found."""
    tool, place = sys.argv[1:]
    audit = _audited(tool, place)
    print(f"{place}: {audit}")
    sys.exit(audit.exit_code)


if __name__ == "__main__":
    main()
