"""A file's language follows from its name, its first line or its text."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

from pollard.syntax.grammars import language_facts
from pollard.syntax.grammars.language_facts import (
    extensions,
    extensions_of,
    file_names,
    interpreters,
    relatives,
)
from pollard.syntax.grammars.languages import available, detect, find, grammar_for
from pollard.syntax.grammars.sources import PACK

# tree_sitter_languages has no wheel for newer Pythons.
HAS_LANGUAGES = sys.version_info < (3, 13)


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("a.c", b"", "c"),
        ("a.h", b"int f(void);\n", "c"),
        ("a.h", b"#pragma once\nnamespace a {}\n", "cpp"),
        ("a.h", b"#include <vector>\n", "cpp"),
        ("a.h", b"@interface A\n", "objective-c"),
        ("a.C", b"", "cpp"),
        ("a.CPP", b"", "cpp"),
        ("crash.i", b"", "c"),
        ("a.m", b"function f()\n", "matlab"),
        ("a.m", b"#import <A.h>\n", "objective-c"),
        ("a.v", b"module m;\nendmodule\n", "verilog"),
        ("a.v", b"fn main() {}\n", "v"),
        ("a.ts", b"let a = 1", "typescript"),
        ("a.ts", b"<?xml version='1.0'?>", "xml"),
        ("a.d.ts", b"", "typescript"),
        ("a.tsx", b"", "typescriptreact"),
        ("a.jsx", b"", "javascript"),
        ("a.less", b"", "less"),
        ("a.json5", b"", "json5"),
        ("a.awk", b"", "awk"),
        ("a", b"#!/usr/bin/gawk -f\n", "awk"),
        ("a.coffee", b"", "coffeescript"),
        ("a.pl", b"use strict;\n", "perl"),
        ("a.pl", b":- module(a, []).\n", "prolog"),
        ("a.pl", b"f(X) :- g(X).\n", "prolog"),
        ("a.pl", b":-use_module(library(lists)).\n", "prolog"),
        ("a.pl", b"f(X,\n  Y) :-\n    g(X, Y).\n", "prolog"),
        ("a.pl", b"my $a = $b ?(1) :-1;\n", "perl"),
        ("a.pro", b"f(X) :- g(X).\n", "prolog"),
        ("a.pro", b"QT += core\n", None),
        ("a.csv", b"day,kind\n2,a;b;c\n", "csv"),
        ("a.csv", b"day\tkind\n2,4\ta\n", "tsv"),
        ("a.csv", b"day|kind\n2,4|a\n", "psv"),
        ("a.csv", b"day;kind\r\n2,4;a\r\n", "psv"),
        ("a.csv", b"2,4;a;b\n3,5;c;d\n", "psv"),
        ("a.csv", b"2,a; b; c\n3,d\n", "csv"),
        ("a.csv", b"day\n2\n", "csv"),
        ("a.ll", b"%%\n.\n", "lex"),
        ("a.ll", b"%a = type { i32 }\n", "llvm"),
        ("a.cl", b"(defun f (x) x)\n", "commonlisp"),
        ("a.cl", b"__kernel void f(__global int *a) {}\n", "opencl"),
        ("a.cl", b"// Adds.\nkernel void f(global int *a) {}\n", "opencl"),
        ("a.smt2", b"", "smtlib"),
        ("a.cls", b"public class A {}", "apex"),
        ("a.cls", b"\\ProvidesClass{a}", "latex"),
        ("a.php", b"<?php", "php"),
        ("a.php", b"<?hh", "hack"),
        ("a.html.erb", b"", "embeddedtemplate"),
        ("a.py", b"#!/bin/sh\n", "python"),
        ("a.F90", b"", "fortran"),
        ("a.f", b"", "fixed_form_fortran"),
        ("a.yml", b"", "yaml"),
        ("a.rs.orig", b"", "rust"),
        ("config.h.in", b"", "c"),
        ("site.yaml.j2", b"", "yaml"),
        ("page.njk", b"", "jinja"),
        ("page.liquid", b"", "liquid"),
        ("page.gohtml", b"", "gotemplate"),
        ("Makefile", b"", "makefile"),
        ("Makefile.am", b"", "makefile"),
        ("rules.mk", b"", "makefile"),
        ("Dockerfile", b"", "dockerfile"),
        ("Dockerfile.dev", b"", "dockerfile"),
        ("web.dockerfile", b"", "dockerfile"),
        ("CMakeLists.txt", b"", "cmake"),
        ("BUILD", b"", "starlark"),
        ("meson.build", b"", "meson"),
        ("go.mod", b"", "gomod"),
        ("requirements-dev.txt", b"", "requirements"),
        ("Cargo.lock", b"", "toml"),
        ("Gemfile", b"", "ruby"),
        (".bashrc", b"", "shellscript"),
        ("COMMIT_EDITMSG", b"", "git-commit"),
        ("run", b"#!/usr/bin/env python3\n", "python"),
        ("run", b"#!/usr/bin/python3.11 -u\n", "python"),
        ("run", b"#! /usr/bin/env -S A=1 node --x\n", "javascript"),
        ("run", b"#!/bin/bash\r\n", "shellscript"),
        ("run", b"\xef\xbb\xbf#!/bin/sh -e\n", "shellscript"),
        ("run", b"#!/usr/bin/perl -w\n", "perl"),
        ("run", b"#!/usr/bin/ruby2.7\n", "ruby"),
        ("run", b"#!/usr/bin/lua5.4\n", "lua"),
        ("run", b"#!/usr/bin/make -f\n", "makefile"),
        ("run", b"#!/usr/bin/env Rscript\n", "r"),
        ("id:000012,sig:11", b"<?php echo 1;", "php"),
        ("id:000012,sig:11", b"<!DOCTYPE html>", "html"),
        ("", b"", None),
        ("a", b"", None),
        ("a.txt", b"hello\n", None),
        ("a.unheard-of", b"", None),
        ("run", b"#!", None),
        ("run", b"#!/usr/bin/env\n", None),
        ("run", b"#!/opt/unheard-of\n", None),
        ("run", b"\xff\xfe#!/bin/sh", None),
        (".orig", b"", None),
    ],
)
def test_detection(path, head, language):
    assert detect(path, head) == language
    assert detect(PurePosixPath("some.c/dir") / path, head) == language


def test_only_languages_with_a_grammar_are_detected():
    assert detect("a.dot") == ("dot" if HAS_LANGUAGES else None)
    assert detect("a.dot", sources=[PACK]) is None
    assert detect("a.c", sources=[]) is None


def test_a_near_relative_stands_in_for_a_grammar_that_is_not_there():
    assert detect("a.f", sources=[PACK]) == "fixed_form_fortran"
    assert find("fixed_form_fortran", [PACK]).language is find("fortran", [PACK]).language


# What only tree_sitter_languages has.
ONLY_LANGUAGES = {"dot", "fixed_form_fortran", "ql", "regex", "sqlite"}


def test_every_grammar_that_can_own_a_file_has_a_file_name_or_extension():
    inner = {
        "comment",
        "jsdoc",
        "luadoc",
        "luap",
        "markdown_inline",
        "printf",
        "test",
    }
    reachable = {*extensions().values(), *file_names().values()}
    assert {grammar.name for grammar in available()} - reachable - ONLY_LANGUAGES == inner


def test_every_language_in_the_tables_has_a_grammar():
    grammars = {grammar.name for grammar in available()}
    assert set(relatives().values()) <= grammars
    assert {
        *extensions().values(),
        *file_names().values(),
        *interpreters().values(),
    } <= grammars | relatives().keys() | ONLY_LANGUAGES


@pytest.mark.parametrize("kind", ["extensions", "files", "interpreters"])
def test_no_file_type_belongs_to_two_languages(kind):
    words = [word for facts in language_facts._table().values() for word in getattr(facts, kind)]
    assert sorted(words) == sorted(set(words))


def test_every_entry_has_known_keys_only():
    """A misspelt key would silently lose what it says."""
    text = Path(language_facts.__file__).with_name("languages.toml").read_text(encoding="utf-8")
    keys = {line.split(" = ")[0] for line in text.splitlines() if " = " in line and line[0] != "#"}
    assert keys == {field.name for field in dataclasses.fields(language_facts._LanguageEntry)}


def test_the_first_extension_is_the_usual_one():
    assert [extensions_of(name)[0] for name in ("cpp", "python", "rust")] == ["cpp", "py", "rs"]
    assert extensions_of("no such language") == ()


@pytest.mark.parametrize("module", ["pollard.cli.main", "pollard_server.server"])
def test_starting_does_not_read_the_languages(module):
    code = (
        f"import {module}; from pollard.syntax.grammars import language_facts; "
        "print(language_facts._table.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_a_licence_may_come_before_what_tells_the_language() -> None:
    text = b"{" + b"All rights reserved. " * 200 + b"}\n\nunit a;\n"
    grammar = grammar_for("a.pp", text)
    assert grammar is not None
    assert grammar.name == "pascal"
