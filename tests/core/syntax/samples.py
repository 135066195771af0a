"""Small sources in many languages, and what the tests of the syntax layer ask of trees."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node

from pollard.syntax.branches.branches import Branch, Preprocessing, below, root_branch
from pollard.syntax.grammars.languages import find
from pollard.syntax.tree.document import Document

SAMPLES: dict[str, bytes] = {
    "c": b"""#include <stdio.h>
#define TWO 2

/* A list, and what it is good for. */
static int list[] = {1, TWO, 3};

struct pair { int x, y; };

// Adds up.
static int sum(const int *p, int n)
{
\tint total = 0;  // so far

\tfor (int i = 0; i < n; i++)
\t\ttotal += p[i] * 2 - -i;
\tif (total > 3) {
\t\tprintf("%d  items\\n", total);
\t} else {
\t\ttotal = n ? 1 : 0;
\t}

\treturn total;
}

#if TWO
int main(void) { return sum(list, 3) + 1; }
#endif
""",
    "python": b'''import os, sys
from a import (b, c)


def f(x: int = 1, *rest, key="a  b") -> str:
    """Text.

    More   text.
    """
    if x and not rest:
        for i in range(x):
            print(i, f"{i}  {x!r}")  # a comment
        else:
            pass
    elif key:
        return {"a": 1, "b": [1, 2]}

    return "" "a"


class A(B, metaclass=C):
    y = lambda z: z + 1 if z else -z


@g
def h():
    with open("f") as k, l: yield k
''',
    "javascript": b"""import { a, b as c } from "m";

// A class.
class A extends B {
  #x = 1;
  get y() { return this.#x++ + +1 }

  static async *z([p, ...q], { r = 1, s }) {
    const t = `a ${p}  ${q}
      b`, u = /x y/g;
    if (p in q) return typeof r; else s?.v(t, u);
    for (let i of q) { label: while (1) { break label } }
  }
}

var o = { k: 1, "l m": (n) => n, [a]: void 0 }
export default o
""",
    "typescript": b"""interface P<T extends object = {}> { readonly a?: T[]; b(c: number): void }

type U = "x y" | keyof P<{}> | [1, 2];

export abstract class Q<T> implements P<T> {
  private constructor(public x: T, y?: string) { super(); }

  m<K>(this: Q<T>, k: K): k is K { return <any>k as unknown as boolean && !!k; }
}

enum E { A = 1, B = A << 2 }
declare function g(...a: unknown[]): asserts a;
""",
    "json": b"""{
  "a": [1, -2.5e3, true, null],
  "b c": {"d": "x  y", "e": []},

  "f": ""
}
""",
    "html": b"""<!DOCTYPE html>
<html lang="en">
<head>
  <title>A  title</title>
  <style>p { color: red }</style>

  <!-- a comment -->
</head>
<body class="a b" id=c>
  <p>Some <b>bold</b> <i>text</i><br></p>

  <ul><li>1</li><li>2</li></ul>
  <script>if (a < b) { f() }</script>
</body>
</html>
""",
    "css": b"""@import url("a.css");

/* Colours. */
a.b > c, d:hover::after {
  color: #f00;
  margin: 0 -1px calc(1px + 2em);
}

@media (min-width: 10px) and (max-width: 20px) {
  #e[f="g h"] { background: url(a.png), red !important }
}
""",
    "rust": b"""//! Crate.
use std::{io, fmt::Debug};

/// A thing.
#[derive(Debug, Clone)]
pub struct S<'a, T: Debug> { x: &'a T, pub y: Vec<Vec<u8>> }

impl<'a, T> S<'a, T> where T: Debug {
    fn f(&self, mut n: usize) -> Option<&T> {
        let s = r"a  b"; // text
        match n { 0 | 1 => None, _ if n > 2 => { n -= 1; Some(self.x) } _ => return None }
    }
}

fn main() { let v = vec![1, 2]; for i in 0..v.len() { println!("{}  {}", i, !v[i]); } }
""",
    "sql": b"""SELECT a, b AS c, count(*)
FROM t, u
WHERE a = 1 AND b <> 'x  y'
ORDER BY a, c;
""",
    "go": b"""package p

import "fmt"

// F does it.
func F(a, b int, c ...string) (x int, err error) {
\tif a > b {
\t\tfmt.Println("a  b", c) // print
\t}

\treturn a + b, nil
}
""",
    "java": b"""package p;

public class A<T> extends B implements C {
    private final int[] x = {1, 2}, y;

    @Override
    public <U> void f(T t, U... u) throws E {
        for (int i = 0; i < x.length; i++) { if (t == null) continue; else g(t, "a  b"); }
        /* done */
    }
}
""",
    "shellscript": b"""#!/bin/sh
# A script.
set -e

for f in a b "c  $d"; do
  if [ -f "$f" ]; then echo "$f" | cat > x; fi
done

g() { echo \\
  one \\
  two; }
g
""",
    "cpp": b"""#include <vector>

namespace n {

template <class T, int N = 1> struct S : public B {
    std::vector<std::vector<T> > v;
    S(int a = 0) : v(a), w{} {}

    auto f(const T &t) const -> int { return [&](auto x) { return x + t; }(N); }
};

}  // namespace n
""",
    "ruby": b"""class A < B
  attr_reader :a, :b

  # Does it.
  def f(x, y = 1, *z)
    puts "a  #{x}  #{y}" if x && !y
    [1, 2].each { |i| i + 1 }
  end
end
""",
    "yaml": b"""a: 1
b:
  - c
  - d: "e  f"

g: |
  text

  more
""",
    "xml": b"""<?xml version="1.0"?>
<a x="1" y='2'>
  <b/>

  <c>text  here</c>
  <!-- note -->
</a>
""",
}


@cache
def language(name: str) -> Language:
    return find(name).load()


def parsed(name: str, text: bytes | None = None) -> Document:
    return Document(SAMPLES[name] if text is None else text, language(name))


def nodes(document: Document) -> Iterator[Node]:
    stack = [document.root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def leaves(document: Document) -> list[tuple[int, int]]:
    """The spans of all leaves that have text other than white space, in order."""
    return [
        node.byte_range
        for node in nodes(document)
        if not node.child_count and document.text[slice(*node.byte_range)].strip()
    ]


def tokens(document: Document) -> list[bytes]:
    """The texts of all leaves without the white space around them, in order."""
    return [document.text[slice(*span)].strip() for span in leaves(document)]


def root(document: Document, *, squeeze: bool = True, flatten: bool = True) -> Branch:
    return root_branch(document.root, Preprocessing(squeeze, flatten))


def branches(document: Document, *, squeeze: bool = True, flatten: bool = True) -> list[Branch]:
    """All branches, level by level."""
    found: list[Branch] = []
    level = [root(document, squeeze=squeeze, flatten=flatten)]
    while level:
        found += level
        level = below(level, (0, len(document.text)))
    return found


def branch_of(document: Document, text: bytes, kind: str | None = None) -> Branch:
    """The outermost branch with this text, and of this kind if one is given."""
    return next(
        branch
        for branch in branches(document)
        if document.text[branch.start : branch.end] == text
        and (kind is None or branch.node.type == kind)
    )
