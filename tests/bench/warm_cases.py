"""Tools that can be kept loaded, each with a file; `tests.bench.warm` measures them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.sandbox_policy import SandboxPolicy
from pollard.oracle.warm.warm_runs import WarmRuns

_CORPUS = Path(os.environ.get("POLLARD_CORPUS", "../shared/corpus")).absolute()
_TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "pollard-corpus"))
_ESLINT = Path(os.environ.get("POLLARD_TOOLS", Path.home() / ".cache" / "pollard-tools"))
_STAYING = Path(__file__).with_name("staying")
_SECOND = Path(__file__).with_name("more")
_SCHEMA = _CORPUS / "prop-json-schema-license" / "schema.json"
_VALIDATE = """
import json, sys, jsonschema
validator = jsonschema.Draft7Validator(json.load(open(sys.argv[1])))
for error in validator.iter_errors(json.load(open(sys.argv[2], encoding="utf-8"))):
    path = list(error.absolute_path)
    licence = path[:1] == ["packages"] and path[-1] == "license"
    if error.validator == "pattern" and licence and " AND " in str(error.instance):
        print("VIOLATION")
"""
_PYTHON = b"import os\nimport sys\n\n\ndef f(a, b):\n    x: int = 'text'\n    return a\n"
_YAML = b"a:\n  - b\n  - c: [1,2]\nkey: yes\nother:\n    deep: 1\n"
_RST = b"Title\n=====\n\nSome *text* and `nowhere`_.\n\n- item\n- other\n"
_JAVASCRIPT = b"const prices = [3, 5];\nfunction total(a) { return a.map((x) => x * factor); }\n"


@dataclass(frozen=True)
class WarmCase:
    """A tool and a file; `staying` is a script for Node.js that asks the tool by the protocol."""

    name: str
    command: tuple[str, ...]
    file: str | bytes
    filename: str
    criteria: Criteria
    staying: str = ""
    stdin: bool = False

    @property
    def text(self) -> bytes:
        return self.file if isinstance(self.file, bytes) else (_CORPUS / self.file).read_bytes()

    def oracle(self, warm: WarmRuns) -> CommandOracle:
        """The tool's command; with `PROTOCOL` the script."""
        settings = {"criteria": self.criteria, "sandbox": SandboxPolicy(), "warm": warm}
        if warm is WarmRuns.PROTOCOL:
            modules = str(Path(self.command[1]).parents[1 + ("/bin/" in self.command[1])])
            script = str(_STAYING / self.staying)
            return CommandOracle(("node", script, modules), **settings)
        return CommandOracle(self.command, stdin=self.stdin, **settings)

    @property
    def way(self) -> WarmRuns:
        """What keeps it loaded."""
        return WarmRuns.PROTOCOL if self.staying else WarmRuns.ON

    @property
    def kept(self) -> str:
        """What keeps it loaded, for the table."""
        if self.staying:
            return "by the protocol"
        return "repeated" if self.command[0] == "node" else "copies"


def _node(package: str, script: str) -> tuple[str, str]:
    return "node", str(_TOOLS / package / "node_modules" / script)


def _matches(expression: str) -> Criteria:
    return Criteria(output=expression)


_COMMANDS = (
    WarmCase(
        "black 22.12",
        (str(_TOOLS / "black-22.12.0" / "bin" / "black"), "--preview", "-q", "-"),
        "py-black-walrus-annotation/input.py",
        "input.py",
        _matches("cannot format -: Cannot parse: .*-> *[A-Za-z_0-9]* := "),
        stdin=True,
    ),
    WarmCase(
        "jsonschema 4.17",
        (
            str(_TOOLS / "jsonschema-4.17.3" / "bin" / "python"),
            *("-c", _VALIDATE, str(_SCHEMA), "{file}"),
        ),
        "prop-json-schema-license/input.json",
        "input.json",
        _matches("^VIOLATION$"),
    ),
    WarmCase(
        "flake8",
        ("flake8", "{file}"),
        "py-black-walrus-annotation/input.py",
        "input.py",
        _matches("E741"),
    ),
    WarmCase("pylint", ("pylint", "{file}"), _PYTHON, "a.py", _matches("W0611: Unused import sys")),
    WarmCase("yamllint", ("yamllint", "{file}"), _YAML, "a.yaml", _matches("truthy")),
    WarmCase("docutils", ("docutils", "{file}"), _RST, "a.rst", _matches("Unknown target name")),
    WarmCase("mypy", ("mypy", "{file}"), _PYTHON, "a.py", _matches("Incompatible types")),
    WarmCase(
        "eslint 10.15",
        (
            *("node", str(_ESLINT / "node_modules" / "eslint" / "bin" / "eslint.js")),
            *("--no-config-lookup", "--rule", "no-undef: error", "{file}"),
        ),
        _JAVASCRIPT,
        "a.js",
        _matches("'factor' is not defined"),
    ),
)
_BY_PROTOCOL = (
    WarmCase(
        "prettier 2.4",
        (*_node("prettier-2.4.1", "prettier/bin-prettier.js"), "{file}"),
        "ts-prettier-conditional-comment/input.ts",
        "in.ts",
        _matches('Error: Comment ".*" was not printed. Please report this error!'),
        staying="prettier.js",
    ),
    WarmCase(
        "html-minifier-terser 6.1",
        (
            *_node("html-minifier-terser-6.1.0", "html-minifier-terser/cli.js"),
            *("--collapse-whitespace", "--minify-js", "true", "--minify-css", "true"),
            *("--remove-script-type-attributes", "--remove-style-link-type-attributes", "{file}"),
        ),
        "html-minifier-style-type/input.html",
        "input.html",
        _matches("Cannot read properties of undefined \\(reading 'toLowerCase'\\)"),
        staying="html_minifier.js",
    ),
    WarmCase(
        "tsc 3.3",
        (*_node("typescript-3.3.3", "typescript/bin/tsc"), "--noEmit", "{file}"),
        b"const x: number = 'text';\nfunction f(a: string) { return a + x; }\n",
        "a.ts",
        _matches("TS2322"),
        staying="typescript.js",
    ),
)


def _second(
    name: str, case: str, wanted: str, *, python: str = "", node: str = "", words: str = "{file}"
) -> WarmCase:
    """Return a case of the second set with the command of its oracle.

    `python` and `node` are paths below the tools; "SET/" in `words` stands for the case's own folder.
    """
    folder = _SECOND / case
    file = next(folder.glob("input.*"))
    begin = (str(_TOOLS / python / "bin" / "python"), "-B") if python else ("node",)
    begin += (str(_TOOLS / node),) if node else ()
    told = [
        word.replace("SET/", f"{folder}/").replace("TOOLS/", f"{_TOOLS}/") for word in words.split()
    ]
    return WarmCase(name, (*begin, *told), file.read_bytes(), file.name, _matches(wanted))


_OF_SECOND_SET = (
    _second(
        "pymarkdown 0.9",
        "md-pymarkdown-quoted-list",
        "in reduce_containers_if_required",
        python="pymarkdownlnt-0.9.12",
        words="-m pymarkdown --stack-trace scan {file}",
    ),
    _second(
        "rst2html5 of docutils 0.18",
        "rst-docutils-lone-superscript",
        "in handle_script_or_limit",
        python="docutils-0.18",
        words="TOOLS/docutils-0.18/bin/rst2html5.py --traceback --quiet --no-raw"
        " --no-file-insertion --math-output=MathML {file} out.html",
    ),
    _second(
        "pycparser 2.20",
        "c-pycparser-nested-enum",
        "'Enum' object has no attribute 'type'",
        python="pycparser-2.20",
        words="SET/parse.py {file}",
    ),
    _second(
        "rdflib 6.1",
        "sparql-rdflib-concat-unbound",
        "'NotBoundError' object has no attribute 'datatype'",
        python="rdflib-6.1.1",
        words="SET/query.py {file}",
    ),
    _second(
        "pyflakes 2.1",
        "py-pyflakes-namedexpr",
        "'Checker' object has no attribute 'NAMEDEXPR'",
        python="pyflakes-2.1.0",
        words="-m pyflakes {file}",
    ),
    _second(
        "lessc 4.1",
        "less-each-ruleset",
        "genCSS is not a function",
        node="less-4.1.1/node_modules/less/bin/lessc",
        words="--no-color {file} out.css",
    ),
    _second(
        "js-yaml 3.2",
        "yaml-jsyaml-empty-int",
        "resolveYamlInteger",
        words="SET/load.js TOOLS/js-yaml-3.2.4/node_modules/js-yaml {file}",
    ),
    _second(
        "compiler-sfc 3.2 of Vue",
        "vue-compiler-once-in-if",
        "at injectProp ",
        words="SET/compile.js TOOLS/compiler-sfc-3.2.47/node_modules/@vue/compiler-sfc {file}",
    ),
    _second(
        "clean-css 4.1",
        "css-cleancss-background",
        "TypeError: Cannot read properties of undefined",
        words="SET/minify.js TOOLS/clean-css-4.1.0/node_modules/clean-css {file}",
    ),
    _second(
        "eslint-plugin-react 7.21",
        "tsx-eslint-handler-names",
        "at JSXAttribute",
        words="SET/lint.js TOOLS/eslint-plugin-react-7.21.0 {file}",
    ),
    _second(
        "terser 4.1",
        "js-terser-unevaluated-constant",
        "reading '_walk'",
        words="SET/minify.js TOOLS/terser-4.1.3/node_modules/terser {file}",
    ),
    _second(
        "katex 0.16",
        "latex-katex-environment-name",
        "Expected node of type textord",
        node="katex-0.16.10/node_modules/katex/cli.js",
        words="--display-mode --no-throw-on-error -i {file} -o out.html",
    ),
    _second(
        "solc 0.8.6",
        "sol-solc086-calldata-using",
        "CompilerUtils.cpp:1135",
        words="SET/compile.js TOOLS/solc-0.8.6/node_modules/solc {file}",
    ),
    _second(
        "tsc 3.3, its crash",
        "ts-tsc33-rest-assignment",
        "at getLiteralTypeFromPropertyName ",
        node="typescript-3.3.3/node_modules/typescript/lib/tsc.js",
        words="--noLib --strict --target es2017 --outDir out {file}",
    ),
)

CASES = (
    *_COMMANDS,
    *(replace(each, staying="") for each in _BY_PROTOCOL),
    *_OF_SECOND_SET,
    *_BY_PROTOCOL,
)
