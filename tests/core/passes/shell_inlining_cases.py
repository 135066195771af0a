"""What `inline` makes of the shell, CMake and SQL, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
SHELL_CASES = {
    "shell: arguments by their places": (
        "shellscript",
        b'f() { local a=$1; echo "$a: ${2}"; }\nf 6 "x y"\n',
        b'local a=6; echo "$a: x y"',
    ),
    "shell: a function whose output is read, with an argument": (
        "shellscript",
        b'f() { echo "<$1>"; }\ng "[$(f 7)]"\n',
        b'g "[$(echo "<7>")]"',
    ),
    "shell: a loop over words": (
        "shellscript",
        b'for x in 6 "a b"; do f "$x." ${x}; done\n',
        b'f "a b." "a b"',
    ),
    "shell: what is appended to an array": (
        "shellscript",
        b'a=()\na+=(7 8)\nf "${#a[@]} ${a[@]}"\n',
        b'a=(7 8)\nf "${#a[@]} ${a[@]}"',
    ),
    "CMake: a function": (
        "cmake",
        b'function(f a b)\n  message("${a}: ${b}")\nendfunction()\nf(6 7)\n',
        b'message("6: 7")',
    ),
    "CMake: a loop over words": (
        "cmake",
        b'foreach(x 6 7)\n  message("y${x}")\nendforeach()\n',
        b'message("y7")',
    ),
    "SQL: a query with a name": (
        "sql",
        b"WITH q AS (SELECT f(t.a) b, c FROM t WHERE 1) SELECT c, b + 1 FROM q LIMIT 2;\n",
        b"SELECT c, f(t.a) + 1 FROM t WHERE 1 LIMIT 2;",
    ),
    "SQL: the first of two queries with a name": (
        "sql",
        b"WITH q AS (SELECT 7 b FROM t), r AS (SELECT b FROM q) SELECT b FROM r, u;\n",
        b"WITH r AS (SELECT 7 b FROM t) SELECT b FROM r, u;",
    ),
    "SQL: a view in a join": (
        "sql",
        b"CREATE VIEW v AS SELECT 7 a;\nSELECT a FROM t JOIN v ON b;\n",
        b"SELECT a FROM t JOIN (SELECT 7 a) ON b;",
    ),
    "SQL: values of tables and of none": (
        "sql",
        (
            b"CREATE TABLE v (d);\nCREATE TABLE t (a, b int);\nINSERT INTO t VALUES (1, 2), (3, 4);\n"
            b"INSERT INTO u (a) VALUES ('x');\nSELECT c.b, u.a, d FROM t c JOIN u ON 1 JOIN v ON 1;\n"
        ),
        (
            b"CREATE TABLE v (d); CREATE TABLE t (a, b int); INSERT INTO t VALUES (1, 2), (3, 4); "
            b"INSERT INTO u (a) VALUES ('x'); SELECT 4, 'x', NULL;"
        ),
    ),
    "PHP: a value in a string": ("php", b'<?php $x = "ab"; f("-$x-");\n', b'<?php f("-ab-");'),
}
