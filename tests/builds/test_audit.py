"""An audit that could not be made is never taken for one that found nothing."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

_CI = Path(__file__).parents[2] / ".ci"


def _loaded(name: str):
    specification = importlib.util.spec_from_file_location(f"ci_{name}", _CI / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = module
    specification.loader.exec_module(module)
    return module


audit, sbom = _loaded("audit"), _loaded("sbom")

FINE = {"name": "click", "version": "8.1", "vulns": []}
VULNERABLE = {"name": "rich", "version": "1.0", "vulns": [{"id": "PYSEC-1"}, {"id": "PYSEC-2"}]}
SKIPPED = {"name": "attrs", "skip_reason": "Dependency not found on PyPI: attrs (26.1.0)"}


@pytest.mark.parametrize(
    ("packages", "code", "text"),
    [
        ([FINE], 0, "1 packages, no known vulnerability"),
        ([FINE, VULNERABLE], 1, "rich 1.0: PYSEC-1\nrich 1.0: PYSEC-2"),
        ([FINE, SKIPPED], 75, "NOT AUDITED: 1 of 2 packages"),
        ([VULNERABLE, SKIPPED], 1, "rich 1.0: PYSEC-1"),
        ([], 75, "NOT AUDITED"),
    ],
)
def test_what_pip_audit_prints_is_judged(packages, code, text):
    found = audit.read_pip_audit(json.dumps({"dependencies": packages}), "")
    assert found.exit_code == code
    assert text in str(found)


@pytest.mark.parametrize(
    "printed", ["", "Traceback", "[]", '{"message": "405 Method Not Allowed"}']
)
@pytest.mark.parametrize("read", [audit.read_pip_audit, audit.read_npm_audit])
def test_without_an_answer_nothing_is_known(read, printed):
    found = read(printed, "ConnectionError: api.example\n")
    assert found.exit_code == 75
    assert "did not answer: " in str(found)


def test_what_npm_prints_is_judged():
    fine = {"vulnerabilities": {}, "metadata": {"dependencies": {"total": 386}}}
    assert audit.read_npm_audit(json.dumps(fine), "").exit_code == 0
    found = {"esbuild": {"range": "<0.25", "severity": "moderate"}}
    vulnerable = audit.read_npm_audit(json.dumps({**fine, "vulnerabilities": found}), "")
    assert (vulnerable.exit_code, str(vulnerable)) == (1, "esbuild <0.25: moderate")


# What the tools printed about packages that are known to be vulnerable; both end with exit code 1.
RECORDED = {
    "pip-audit": """{"dependencies": [{"name": "jinja2", "version": "2.4.1", "vulns": [
        {"id": "PYSEC-2014-8", "fix_versions": ["2.7.2"], "aliases": ["CVE-2014-1402"]}]},
        {"name": "markupsafe", "version": "3.0.2", "vulns": []}], "fixes": []}""",
    "npm": """{"auditReportVersion": 2, "vulnerabilities": {"minimist": {"name": "minimist",
        "severity": "critical", "isDirect": true, "via": [{"source": 1097678, "name": "minimist",
        "title": "Prototype Pollution in minimist", "range": "<0.2.4"}], "effects": [],
        "range": "<=0.2.3", "nodes": ["node_modules/minimist"], "fixAvailable": true}},
        "metadata": {"vulnerabilities": {"critical": 1, "total": 1}, "dependencies": {"total": 1}}}""",
}


@pytest.mark.parametrize(
    ("tool", "found"),
    [("pip-audit", "jinja2 2.4.1: PYSEC-2014-8"), ("npm", "minimist <=0.2.3: critical")],
)
@pytest.mark.parametrize(("printed", "code"), [("recorded", 1), ("nothing", 75)])
def test_the_step_of_ci_fails_if_there_is_a_vulnerability(tmp_path, tool, found, printed, code):
    program = tmp_path / tool
    text = RECORDED[tool] if printed == "recorded" else ""
    program.write_text(f"#!{sys.executable}\nprint({text!r})\nraise SystemExit(1)\n")
    program.chmod(0o755)
    named = "npm" if tool == "npm" else str(program)
    done = subprocess.run(
        [sys.executable, str(_CI / "audit.py"), named, str(tmp_path)],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert (found in done.stdout) is (printed == "recorded")


def test_a_vulnerability_counts_more_than_a_service_that_did_not_answer(tmp_path):
    """The step joins the exit codes of several audits."""
    script = (_CI / "run").read_text().split("audit_packages() {")[1].split("\n}\n")[0]
    joined = script[script.index("  case $codes") :]
    for codes, expected in (("", 0), (" 75", 75), (" 75 75", 75), (" 75 1", 1), (" 1 75", 1)):
        done = subprocess.run(
            ["bash", "-c", f"step() {{\n{joined}\n}}\ncodes='{codes}'\nstep"], check=False
        )
        assert done.returncode == expected, codes


def test_a_bill_of_materials_must_name_packages_with_their_versions():
    parts = [{"name": "click", "version": "8.1"}, {"name": "rich"}]
    text = json.dumps({"bomFormat": "CycloneDX", "components": parts})
    assert sbom.missing(text, ["click", "rich", "attrs"]) == ["rich", "attrs"]
    assert sbom.missing("{}", ["click"]) == ["click"]
