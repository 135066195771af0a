"""Makes the inputs of the large set, which are too large to commit: `python -m tests.bench.large.make`.

Each is made of a fixed seed or of an installed package, and stays if it exists.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "pollard-corpus"))

_WORDS = (
    *("amber", "basin", "cedar", "delta", "ember", "fjord", "grove"),
    *("heron", "inlet", "jetty", "knoll", "larch", "marsh", "north"),
)

_HEADERS = "algorithm iomanip iostream map regex string vector"

# GCC's bug 108975, in own words: a constant of a function template as an argument in a generic lambda.
_TRIGGER = """\
template <int Size> struct Axis { int length = Size; };
template <class Scalar> int count_axes(Scalar first) {
  constexpr int size = 2;
  auto visit = [&](auto) { Axis<size> axis; int lengths[size * 1]; return axis.length; };
  return visit(first);
}
int main() {
  std::map<int, std::string> names = {{1, "one"}, {2, "two"}};
  for (const auto& [number, name] : names) std::cout << number << name << '\\n';
  return count_axes(1.5);
}
"""


def cpp() -> bytes:
    """The standard headers of g++ 12, preprocessed with their line markers, and a small program."""
    source = "".join(f"#include <{name}>\n" for name in _HEADERS.split()) + _TRIGGER
    command = ["g++-12", "-std=c++17", "-E", "-x", "c++", "-"]
    return subprocess.run(command, input=source.encode(), capture_output=True, check=True).stdout


def chat() -> bytes:
    """A chat's export of 4 MB; one code point is a string."""
    draw = random.Random(4)
    messages = [_message(number, draw) for number in range(10_700)]
    messages[7_211]["reactions"][0]["codepoints"] = ["U+1F389", 0x1F600]
    return json.dumps({"version": 3, "messages": messages}, indent=1).encode()


def _message(number: int, draw: random.Random) -> dict[str, object]:
    reactions = [
        {"by": draw.choice(_WORDS), "codepoints": [draw.randrange(0x1F600, 0x1F640)]}
        for _ in range(draw.randrange(1, 3))
    ]
    return {
        "id": number,
        "author": {"name": draw.choice(_WORDS), "roles": draw.sample(_WORDS, 2)},
        "text": _sentence(draw, 12),
        "edited": draw.random() < 0.1,
        "reactions": reactions,
    }


def _sentence(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(_WORDS, k=words)).capitalize() + "."


def dump() -> bytes:
    """An SQL dump of 2 MB of a library's loans; one loan has no book."""
    draw = random.Random(5)
    lines = ["PRAGMA foreign_keys = OFF;", "BEGIN TRANSACTION;"]
    lines.append("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, shelf TEXT);")
    lines.append("CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER, reader TEXT, due TEXT);")
    for number in range(12_000):
        title, shelf = _sentence(draw, 5), draw.choice(_WORDS)
        lines.append(f"INSERT INTO book VALUES({number},'{title}','{shelf}');")
    for number in range(14_000):
        book = 99_999 if number == 9_402 else draw.randrange(12_000)
        reader, month = draw.choice(_WORDS), draw.randrange(1, 13)
        lines.append(f"INSERT INTO loan VALUES({number},{book},'{reader}','2026-{month:02}-15');")
    lines.append("COMMIT;")
    lines.append(
        "SELECT 'lost', loan.id, loan.reader FROM loan LEFT JOIN book ON book.id = loan.book\n"
        "  WHERE book.id IS NULL;"
    )
    return "\n".join([*lines, ""]).encode()


def script() -> bytes:
    """Svelte's compiler in one line, with a class whose static block has nothing but a comment."""
    package = TOOLS / "svelte-3.58.0" / "node_modules" / "svelte" / "compiler.js"
    esbuild = TOOLS / "esbuild-0.18.2" / "node_modules" / ".bin" / "esbuild"
    command = [str(esbuild), "--minify", "--log-level=error"]
    source = package.read_bytes()
    minified = subprocess.run(command, input=source, capture_output=True, check=True).stdout
    sampler = b"class Sampler{rate=1;static{/* set by the parser */}take(n){return n*this.rate}}"
    return minified.rstrip() + sampler + b"\n"


def nest() -> bytes:
    """Lists in lists, 10,000 levels deep, with a few values beside each."""
    draw = random.Random(6)
    inner = '{"kind": "leaf", "value": -0}'
    for depth in range(10_000):
        beside = f'"{draw.choice(_WORDS)}", ' if depth % 3 else ""
        inner = f"[{beside}{inner}]"
    return inner.encode() + b"\n"


def netlist() -> bytes:
    """A netlist of 250 kB: gates of four inputs between 3,000 wires, and one slice of a queue."""
    draw = random.Random(7)
    lines = ["module netlist (input wire [15:0] pins, output wire [15:0] leads);"]
    lines += [f"  wire n{number};" for number in range(3_000)]
    lines += [f"  assign n{number} = pins[{number}];" for number in range(16)]
    for number in range(16, 3_000):
        kind, inputs = draw.choice(("and", "or", "xor", "nand")), draw.sample(range(number), 3)
        wires = ", ".join(f"n{each}" for each in inputs)
        lines.append(f"  {kind} #(1) gate_{number:04} (n{number}, {wires}, pins[{number % 16}]);")
    lines += [f"  assign leads[{number}] = n{2_999 - number};" for number in range(16)]
    lines += ["  int trace [$];", "  int last [$];", "  initial begin", "    trace.push_back(1);"]
    lines += [
        '    $display("%p", trace[0:0]);',
        '    $display("%0d", last.size());',
        "  end",
        "endmodule",
    ]
    return "\n".join([*lines, ""]).encode()


def manual() -> bytes:
    """A manual page of 350 kB, as troff; one macro does not exist."""
    draw = random.Random(8)
    lines = ['.TH LARCH 1 "2026-01-01" "larch 1.0" "User Commands"']
    for section in range(40):
        lines.append(f".SH {draw.choice(_WORDS).upper()} {section}")
        for _ in range(60):
            lines += [".TP", rf"\fB\-\-{draw.choice(_WORDS)}\fR=\fI{draw.choice(_WORDS)}\fR"]
            lines.append(_sentence(draw, 14))
    lines.insert(4_321, ".Larch 1 2")
    return "\n".join([*lines, ""]).encode()


def graph() -> bytes:
    """A graph of 30 kB; one edge ends at a port that its record does not have."""
    draw = random.Random(9)
    lines = ["digraph streams {", "  rankdir = LR;"]
    for number in range(400):
        label = "|".join(f"<p{port}> {draw.choice(_WORDS)}" for port in range(3))
        lines.append(f'  n{number} [shape = record, label = "{label}"];')
    for number in range(1, 400):
        source, port = max(0, number - draw.randrange(1, 9)), draw.randrange(3)
        if number == 333:
            port = 7
        lines.append(f"  n{source}:p{port} -> n{number}:p{draw.randrange(3)};")
    return "\n".join([*lines, "}", ""]).encode()


INPUTS: dict[str, Callable[[], bytes]] = {
    "cpp-gxx12-headers/input.cpp": cpp,
    "json-jq-chat/input.json": chat,
    "sql-sqlite-dump/input.sql": dump,
    "js-esbuild-line/input.js": script,
    "json-nest/input.json": nest,
    "verilog-iverilog11-netlist/input.sv": netlist,
    "man-groff-macro/input.1": manual,
    "dot-missing-port/input.dot": graph,
}


def missing() -> Iterator[Path]:
    """Yield the inputs that do not exist yet."""
    return (HERE / name for name in INPUTS if not (HERE / name).exists())


def main() -> None:
    """Make the inputs that are missing."""
    for path in missing():
        text = INPUTS[path.relative_to(HERE).as_posix()]()
        path.write_bytes(text)
        print(f"{path.parent.name}: {len(text)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
