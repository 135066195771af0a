"""The lines of a file that its failure's output names, in the forms of real programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pollard.oracle import (
    Outcome,
    named_bounds,
    named_lines,
    named_places,
    named_words,
    printing_lines,
)

OUTPUTS = Path(__file__).parent / "outputs"


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        (b'  File "/tmp/x/a.py", line 7, in f', "a.py"),
        (b"a.rb:7:in `fetch': key not found", "a.rb"),
        (b"/tmp/x/a.js:7\nthrow new Error", "a.js"),
        (b"    at f (file:///tmp/a.js:7:13)", "a.js"),
        (b"a.ts(7,3): error TS2532", "a.ts"),
        (b"Died at a.pl line 7.", "a.pl"),
        (b"Fatal error: Uncaught Error in /tmp/a.php:7", "a.php"),
        (b"Warning: x in /tmp/a.php on line 7", "a.php"),
        (b"\tat Main.main(Main.java:7)", "Main.java"),
        (rb"C:\tmp\a.c:7:1: error: x", "a.c"),
        (b"\t/tmp/a.go:7 +0x1d", "a.go"),
        (b"a.sh: line 7: key: unbound variable", "a.sh"),
    ],
)
def test_each_way_to_name_a_line_is_read(printed, name):
    assert named_lines(_printed(printed), name) == (7,)


@pytest.mark.parametrize(
    "printed", [b"ba.py:7", b"a.pyc:7", b"x-a.py:7", b"a.py:", b"line 7", b"a.py 7", b"a.py:seven"]
)
def test_other_names_and_other_numbers_are_not_lines_of_the_file(printed):
    assert named_lines(_printed(printed), "a.py") == ()


def test_lines_come_in_the_order_of_the_output_each_once_from_both_streams():
    outcome = Outcome(
        exit_code=1, signal=None, stdout=b"a.py:1: x", stderr=b"a.py:9: y\na.py:3: z\na.py:9: y"
    )
    assert named_lines(outcome, "a.py") == (9, 3, 1)


def test_a_name_that_is_not_utf8_is_found():
    assert named_lines(_printed(b"\xff.py:7"), b"\xff.py".decode("utf-8", "surrogateescape")) == (
        7,
    )


def test_an_endless_recursion_names_few_lines():
    many = b"".join(b"a.py:%d\n" % number for number in range(1, 1000))
    assert len(named_lines(_printed(many), "a.py")) == 64


def test_a_real_traceback_names_its_lines():
    printed = (OUTPUTS / "python-chained.txt").read_bytes()
    name = printed.split(b'File "', 1)[1].split(b'"', 1)[0].rsplit(b"/", 1)[-1].decode()
    assert named_lines(_printed(printed), name)


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (b"KeyError: 'west'", (b"west",)),
        (b'no price for "nut" in `stock\'', (b"nut", b"stock")),
        (b"'NoneType' object has no attribute 'west'", (b"west",)),
        (b"undefined method `x' for #<Order:0x01>", (b"Order",)),
        (b"undefined method `x' for an instance of Order", (b"Order",)),
        (b"Call to undefined method Order::x()", (b"Order",)),
        (b"Call to a member function stock() on null", (b"stock",)),
        (b"TypeError: Order is not iterable", (b"Order",)),
        (b"TypeError: Order.rows.map is not a function", (b"Order",)),
        (b"TypeError: Order.on(...).off is not a function", (b"Order",)),
        (b"cannot open west", ()),
    ],
)
def test_what_the_output_quotes_is_a_word_if_a_text_has_it(printed, words):
    assert named_words(_printed(printed), [b"ann;west;12", b"nut stock", b"class Order"]) == words


def test_words_of_the_message_come_before_those_of_the_lines_that_the_calls_repeat():
    printed = b"    total = rates['sum'] + of(name)\nKeyError: 'west'"
    text = b"total = rates['sum'] + of(name)\nann;west\n"
    assert named_words(_printed(printed), [text]) == (b"west", b"sum")


@pytest.mark.parametrize(
    ("printed", "bounds"),
    [
        (b"index out of bounds: the len is 3 but the index is 5", (5, 3)),
        (b"range end index 5 out of range for slice of length 3", (5, 3)),
        (b"panic: runtime error: index out of range [5] with length 3", (5, 3)),
        (b"slice bounds out of range [:5] with capacity 3", (5, 3)),
        (b"vector::_M_range_check: __n (which is 5) >= this->size() (which is 3)", (5, 3)),
        (b"basic_string::substr: __pos (which is 5) > this->size() (which is 3)", (5, 3)),
        (b"IndexOutOfBoundsException: Index 5 out of bounds for length 3", (5, 3)),
        (b"index 5\nlength 3", None),
        (b"the len is 1000000 but the index is 1000001", None),
        (b"IndexError: list index out of range", None),
    ],
)
def test_an_index_and_the_length_that_it_is_beyond_are_read(printed, bounds):
    assert named_bounds(_printed(printed)) == bounds


_PRINTING = b"""sub pop { my $self = shift; die "stack is empty\\n" unless @{$self->{items}} }
sub log { print "now at step $_[0] of it\\n" }
fail "option $name is missing"
error(1)
"""


@pytest.mark.parametrize(
    ("printed", "lines"),
    [
        (b"stack is empty\n", (1,)),
        (b"now at step 3 of it\n", (2,)),
        (b"error: option target is missing", (3,)),
        (b"now at step 1 of it\nstack is empty\n", (1,)),
        (b"stack is empty\nnow at step 1 of it\n", (2,)),
        (b"error(1) ", ()),
        (b"the stack", ()),
        (b"", ()),
    ],
)
def test_the_line_with_the_message_that_is_printed_last_is_found(printed, lines):
    assert printing_lines(_printed(printed), _PRINTING) == lines


def test_standard_error_has_the_message_of_the_failure():
    outcome = Outcome(
        exit_code=1, signal=None, stderr=b"stack is empty\n", stdout=b"now at step 1 of it\n"
    )
    assert printing_lines(outcome, _PRINTING) == (1,)
    assert printing_lines(replace(outcome, stderr=b"killed by something"), _PRINTING) == (2,)


def test_no_line_is_found_in_what_quotes_a_text_or_prints_much_of_it():
    line = b"say 'the number %d of them'"
    text = b"\n".join(line % number for number in range(9))
    assert printing_lines(_printed(b"cannot parse: " + line % 7), text) == ()
    assert printing_lines(_printed(b"the number 7 of them"), text) == (8,)
    assert printing_lines(_printed(text.replace(b"say ", b"")), text) == ()


def test_few_words_are_read():
    printed = b" ".join(b"'w%d'" % number for number in range(100))
    assert len(named_words(_printed(printed), [printed])) == 4


def _printed(stderr: bytes) -> Outcome:
    return Outcome(exit_code=1, signal=None, stderr=stderr)


@pytest.mark.parametrize(
    ("printed", "path"),
    [
        (b'  File "/tmp/x/pkg/a.py", line 7, in f', b"pkg/a.py"),
        (b'  File "/tmp/x/a.py", line 7, in f', b"a.py"),
        (b"    at f (/tmp/x/lib/a.js:7:13)", b"lib/a.js"),
        (b"lib/a.js(7,1): error", b"lib/a.js"),
        (b"./lib/a.js:7", b"lib/a.js"),
        (b"\tat Main.main(Main.java:7)", b"src/Main.java"),
        (rb"C:\x\lib\a.js:7", b"lib/a.js"),
    ],
)
def test_a_place_is_in_the_file_with_the_longest_path_that_is_printed(printed, path):
    paths = [b"pkg/a.py", b"a.py", b"lib/a.js", b"src/Main.java"]
    assert named_places(_printed(printed), paths) == ((path, 7),)


@pytest.mark.parametrize(
    "printed", [b"a.py:7", b"/x/other/a.py:7", b"xa.py:7", b"pkg/a.py: 7", b"7"]
)
def test_a_name_that_several_files_have_or_none_is_no_place(printed):
    assert named_places(_printed(printed), [b"pkg/a.py", b"more/a.py"]) == ()


@pytest.mark.parametrize("printed", [b"one/src/a.js:7", b"../one/src/a.js:7", b"./one/src/a.js:7"])
def test_a_path_may_begin_at_the_folder_of_a_package(printed):
    """As those of a test runner that tests several packages."""
    paths = [b"packages/one/src/a.js", b"packages/two/src/a.js"]
    assert named_places(_printed(printed), paths) == ((paths[0], 7),)


def test_places_are_returned_once_in_the_order_of_the_output():
    printed = _printed(b"b.rb:2\na.rb:1\nb.rb:2\nb.rb:9\n")
    assert named_places(printed, [b"a.rb", b"b.rb"]) == ((b"b.rb", 2), (b"a.rb", 1), (b"b.rb", 9))
