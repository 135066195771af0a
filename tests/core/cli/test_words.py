"""How the words of COMMAND are resolved, since runs do not take place in the current directory."""

from __future__ import annotations

import pytest

from pollard.cli.target import hints_about, place_of, resolve


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("f.c", "oracle.sh", "gcc", "conf.h"):
        (tmp_path / name).write_text("")
    (tmp_path / "build").mkdir()
    (tmp_path / "include").mkdir()
    return tmp_path


def resolved(here, *command, companions=()):
    return resolve(command, place_of(here / "f.c"), companions)


def test_a_program_without_a_separator_is_looked_up_on_path(here):
    assert resolved(here, "gcc", "-c") == ("gcc", "-c")


def test_a_program_with_a_separator_is_a_local_file(here):
    assert resolved(here, "./oracle.sh") == (str(here / "oracle.sh"),)


def test_existing_files_become_absolute(here):
    assert resolved(here, "sh", "oracle.sh") == ("sh", str(here / "oracle.sh"))


def test_the_file_itself_becomes_the_candidate(here):
    for word in ("f.c", "./f.c", "build/../f.c", str(here / "f.c")):
        assert resolved(here, "cc", word) == ("cc", "{file}")


def test_directories_need_a_separator(here):
    assert resolved(here, "make", "build") == ("make", "build")
    assert resolved(here, "cc", "-I", "./include") == ("cc", "-I", str(here / "include"))
    assert resolved(here, "ls", "./build") == ("ls", str(here / "build"))


def test_a_directory_that_holds_the_file_is_the_candidate(here):
    """A linter that is told to read the directory would read the original there."""
    for word in (".", "./", str(here), ".."):
        assert resolved(here, "lint", "--strict", word) == ("lint", "--strict", "{file}")
    command = resolved(here, "lint", "-c", "conf.h", ".", companions=[here / "conf.h"])
    assert command == ("lint", "-c", "{dir}/conf.h", "{file}")


def test_among_links_a_directory_that_holds_the_file_is_the_same_directory_of_a_run(here):
    (here / "build" / "g.c").write_text("")
    place = place_of(here / "build" / "g.c", here)
    command = ("make", "-C", ".", "./build", "f.c", "build/g.c")
    expected = ("make", "-C", ".", "build", str(here / "f.c"), "{file}")
    assert resolve(command[:4], place) == expected[:4]
    assert resolve(("cc", *command[4:]), place) == ("cc", *expected[4:])


def test_a_directory_that_holds_the_file_stays_where_that_is_named_or_files_are_looked_for(here):
    assert resolved(here, "cc", ".", "f.c") == ("cc", str(here), "{file}")
    assert resolved(here, "cc", ".", "{file}") == ("cc", str(here), "{file}")
    for option in ("-I", "-isystem", "-L", "-classpath", "--include-path"):
        assert resolved(here, "cc", option, ".") == ("cc", option, str(here))


@pytest.mark.parametrize("option", ["-o", "-MF", "--output", "--output-file", "--out"])
def test_a_file_that_the_command_writes_stays_in_the_directory_of_the_run(here, option):
    assert resolved(here, "cc", "f.c", option, "conf.h") == ("cc", "{file}", option, "conf.h")
    assert resolved(here, "sort", option, "f.c") == ("sort", option, "{file}")


def test_options_of_pollard_after_the_dashes_are_named(here):
    ours = {"-j", "--stats", "--stderr", "--output"}
    assert hints_about(("perl", "-j", "1", "--stats=s.json", "--stderr", "x"), ours) == [
        "hint: --stats, --stderr are given to perl, since options of Pollard come before --."
    ]
    assert not hints_about(("make", "-j", "4", "--keep-going"), ours)


def test_no_hint_says_that_a_file_which_the_command_writes_was_taken_for_a_word(here):
    assert hints_about(("./cc", "gcc"), ())
    assert not hints_about(("./cc", "-o", "gcc"), ())


def test_options_placeholders_and_unknown_words_stay(here):
    words = ("cc", "-Iinclude", "{dir}/oracle.sh", "nix.c", "", "/abs/nix")
    assert resolved(here, *words) == words


def test_a_companion_becomes_its_copy(here):
    command = resolved(here, "cc", "-include", "conf.h", companions=[here / "conf.h"])
    assert command == ("cc", "-include", "{dir}/conf.h")


def test_one_word_with_blanks_is_a_shell_command(here):
    assert resolved(here, "gcc -c f.c | grep x") == "gcc -c f.c | grep x"
    (here / "my oracle").write_text("")
    assert resolved(here, "./my oracle") == (str(here / "my oracle"),)


def test_no_words_are_no_command(here):
    assert resolved(here) == ()
