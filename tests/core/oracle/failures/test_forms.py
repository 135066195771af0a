"""Forms of a failure that differ between versions of a program, or between candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.oracle import Criteria, Outcome, Signature
from pollard.oracle.failures.selection import read_signature
from pollard.oracle.variable_parts import generalised

OUTPUTS = Path(__file__).parent / "outputs"


def read(text: str, **criteria) -> Signature:
    outcome = Outcome(exit_code=1, signal=None, stderr=text.encode())
    signature = read_signature(outcome, Criteria(**(criteria or {"exit_code": (1,)})))
    assert signature is not None
    return signature


def recorded(name: str) -> str:
    return (OUTPUTS / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pattern", "kind", "frames"),
    [
        (None, "java.lang.IllegalStateException", ("Chain.load", "Chain.open", "Chain.main")),
        ("cannot load", "java.lang.IllegalStateException", ("Chain.load", "Chain.open")),
        ("NumberFormatException", "java.lang.NumberFormatException", ("Chain.parse",)),
    ],
)
def test_each_exception_of_a_java_chain_has_its_own_frames(pattern, kind, frames):
    """The outermost counts, unless the criteria mean a cause."""
    criteria = {"stderr": pattern} if pattern else {}
    signature = read(recorded("java-suppressed"), **criteria)
    assert signature.kind == kind
    assert signature.frames[: len(frames)] == frames
    assert "Chain$Res.close" not in signature.frames


def test_the_outermost_exception_counts_in_every_language():
    kinds = {name: read(recorded(name)).kind for name in OUTERMOST}
    assert kinds == OUTERMOST


OUTERMOST = {
    "java-chain": "java.lang.IllegalStateException",
    "node-cause": "Error",
    "php-chain": "StoreError",
    "python-chained": "RuntimeError",
    "ruby-cause": "StoreError",
}

RUBY = """\
orders.rb:3:in {}load': {} (NoMethodError)

  order.prise
       ^^^^^^
Did you mean?  price
               prices
\tfrom orders.rb:7:in {}each'
\tfrom orders.rb:7:in {}<main>'
"""


@pytest.mark.parametrize(
    ("quote", "prefix", "message"),
    [
        ("`", "", "undefined method `prise' for #<Order:0x00007f98f6edb890>"),
        ("`", "block (2 levels) in ", "undefined method `prise' for an instance of Order"),
        ("'", "Shop.", "undefined method 'prise' for an instance of Order"),
        ("'", "rescue in Shop#", "undefined method 'prise' for an instance of Order"),
    ],
    ids=["3.1", "3.3", "3.4", "3.4-rescue"],
)
def test_the_head_of_ruby_in_all_its_forms(quote, prefix, message):
    """Quotes, receivers and messages have changed with the versions."""
    signature = read(RUBY.format(quote + prefix, message, quote, quote))
    assert signature.kind == "NoMethodError"
    assert signature.where in ("load", "Shop.load", "Shop#load")
    assert signature.frames[1:] == ("each",)
    assert signature.message.startswith("undefined method … for")


def test_a_message_of_several_lines_may_look_like_anything():
    """Ruby names the class after the first line; the frames come after all of them."""
    signature = read(recorded("ruby-lines"))
    assert (signature.kind, signature.message, signature.where) == (
        "ArgumentError",
        "first line",
        "f",
    )


def test_lines_after_the_frames_of_ruby_are_not_of_its_failure():
    """Only up to the frames a line may be part of the message."""
    text = "a.rb:1:in 'f': x (KeyError)\n\tfrom a.rb:3:in '<main>'\n\nValueError: y\n"
    assert read(text).kind == "KeyError"
    assert read(text, stderr="ValueError").kind == "ValueError"


@pytest.mark.parametrize(
    "text",
    [
        "syn.rb:1: syntax error, unexpected end-of-input, expecting ')'\ndef f(\n      ^\n",
        "-e:1: syntax error found (SyntaxError)\n> 1 | def f(\n    |       ^ unexpected end\n",
        "syn.rb:3: syn.rb:3: syntax errors found (SyntaxError)\n  1 | def f(\n",
    ],
    ids=["3.1", "3.4-e", "3.4"],
)
def test_a_syntax_error_of_ruby_in_all_its_forms(text):
    assert read(text).kind == "SyntaxError"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("asan-badfree", "AddressSanitizer: bad-free"),
        ("asan-double", "AddressSanitizer: double-free"),
        ("asan-overflow", "AddressSanitizer: stack-overflow"),
        ("asan-null", "AddressSanitizer: SEGV"),
        ("asan-huge", "AddressSanitizer: allocation-size-too-big"),
        ("asan-mismatch", "AddressSanitizer: alloc-dealloc-mismatch"),
    ],
)
def test_the_kind_of_a_sanitizer_is_that_of_its_summary(name, kind):
    """The reports of gcc and clang agree in the last line, which a program's output may cut off."""
    text = recorded(name)
    assert f"SUMMARY: {kind} " in text
    assert read(text.partition("SUMMARY: ")[0]).kind == kind


def test_a_leak_has_the_frames_of_the_first_block_alone():
    assert read(recorded("asan-indirect-leak")).frames == ("leak", "main")


@pytest.mark.parametrize(
    ("message", "suggestion"),
    [
        ("‘struct order’ has no member named ‘prise’", "; did you mean ‘price’?"),
        ("use of undeclared identifier 'totl'", "; did you mean 'total'?"),
        ("name 'totl' is not defined", ". Did you mean: 'total'?"),
        ("name 'sys' is not defined", ". Did you forget to import 'sys'?"),
        ('Module "m" has no attribute "x"', ' (did you mean "y"?)'),
        ("no such option", ", did you mean --one or --two?"),
    ],
    ids=["gcc", "clang", "python", "python-import", "brackets", "comma"],
)
def test_a_suggestion_of_another_name_changes_nothing(message, suggestion):
    """It depends on which names are left in a candidate, and so does whether there is one."""
    assert generalised(message + suggestion) == generalised(message)


@pytest.mark.parametrize("name", ["total", "x", "unusedOrder"])
def test_a_name_in_an_error_of_go_is_no_part_of_its_kind(name):
    """Go does not quote names; a candidate that renames the variable shows the same failure."""
    assert read(f"vet: ./a.go:9:2: {name} declared but not used\n").kind == (
        "error: declared but not used"
    )


def test_a_suggestion_of_rustc_is_on_lines_of_its_own():
    text = recorded("rustc-macro")
    first, _, rest = text.partition("help: a macro")
    assert rest, "there is a suggestion"
    assert read(first).kind == read(text).kind


@pytest.mark.parametrize("names", [("@spectrum_low", "@g"), ("$total", "$t"), ("@main", "@_Z1f.i")])
def test_a_name_with_a_sigil_is_no_part_of_a_kind(names):
    """Renaming what a message of LLVM or PHP names keeps the failure."""
    assert len({generalised(f"Cannot select: store into {name}, bf16") for name in names}) == 1


def test_a_format_in_a_message_stays():
    assert generalised("format %d of wrong type") == "format %d of wrong type"


def test_a_message_that_only_asks_stays():
    assert generalised("what did you do") == "what did you do"


@pytest.mark.parametrize(
    ("message", "shorter"),
    [
        (
            "{'a': [1, None], 'b': {}} is not valid under any schema",
            "{} is not valid under any schema",
        ),
        (
            "'/c/a' does not exist within {'x': 'y'}",
            "'/c/a' does not exist within {'x': {'y': True}}",
        ),
        ('undefined method for {"a"=>[1, nil]}:Hash', "undefined method for {}:Hash"),
        ("%s is too long" % (["word"] * 40), "['a'] is too long"),
        ("no such key in {%s" % ("'name': 'value', " * 40), "no such key in {'a': 1}"),
    ],
    ids=["jsonschema", "openapi", "ruby", "long", "cut"],
)
def test_the_shape_of_a_list_or_an_object_in_a_message_changes_nothing(message, shorter):
    """A program that prints a part of the text prints less of it once the text is shorter."""
    assert generalised(message) == generalised(shorter)


@pytest.mark.parametrize("message", ["expected [ or {", "expected {name}", "no operator[int] here"])
def test_brackets_around_words_stay(message):
    assert generalised(message) == message
