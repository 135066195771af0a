"""A line that names a file may be replaced by its contents, and the guard holds for the result."""

from __future__ import annotations

import pytest

from tests.core.project.support import merged, reduced


def test_a_line_becomes_the_contents_of_the_file_that_it_names():
    files = {"a.c": 'int x;\n#include "b.h"\nint y;\n', "b.h": "int b;\n"}
    assert merged(files) == [{"a.c": "int x;\nint b;\nint y;\n"}]


def test_of_several_lines_all_get_the_contents_or_the_first_does():
    files = {"a.sh": "echo hello\n. ./b.sh\n. ./b.sh\n", "b.sh": "f"}
    assert merged(files) == [{"a.sh": "echo hello\nf\nf\n"}, {"a.sh": "echo hello\nf\n"}]


@pytest.mark.parametrize(
    ("name", "line", "content"),
    [
        ("a.py", "import b", "x = 1"),
        ("a.rb", "require_relative 'b'", "x = 1"),
        ("a.js", "import './b'", "x = 1"),
    ],
)
def test_a_line_that_imports_may_name_a_file_by_one_letter(name, line, content):
    files = {name: f"{line}\nb = 2\n", f"b{name[1:]}": f"{content}\n"}
    assert {name: f"{content}\nb = 2\n"} in merged(files)


def test_all_files_that_name_it_change():
    files = {"a.py": "import part\nx", "b.py": "from part import y\nz", "part.py": "y = 1"}
    assert {"a.py": "y = 1\nx", "b.py": "y = 1\nz"} in merged(files)


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {"a.py": "import pkg.part\npkg.part.f(1)", "pkg/part.py": "def f(x): pass"},
            {"a.py": "def f(x): pass\nf(1)"},
        ),
        (
            {"a.py": "from pkg import part as p\np.f(p.g)", "pkg/part.py": "def f(x): pass"},
            {"a.py": "def f(x): pass\nf(g)"},
        ),
        (
            {"a.rs": "mod part;\nfn a() { part::f(); self::part::g(); }", "part.rs": "fn f() {}"},
            {"a.rs": "fn f() {}\nfn a() { f(); g(); }"},
        ),
        (
            {"a.js": "const p = require('./part');\np.f();", "part.js": "function f() {}"},
            {"a.js": "function f() {}\nf();"},
        ),
        (
            {"a.ts": "import * as p from './part';\np.f();", "part.ts": "export function f() {}"},
            {"a.ts": "export function f() {}\nf();"},
        ),
        (
            {"a.lua": "local p = require('part')\np.f()", "part.lua": "function f() end"},
            {"a.lua": "function f() end\nf()"},
        ),
    ],
    ids=["folder", "alias", "Rust", "JavaScript", "TypeScript", "Lua"],
)
def test_names_of_the_merged_file_lose_its_own(files, result):
    assert result in merged(files)


def test_a_file_without_an_import_of_it_is_put_behind_the_one_that_names_it():
    files = {
        "p/A.java": "package p;\nimport java.util.List;\nclass A { List<Part> parts; }\n",
        "p/Part.java": "package p;\nimport java.util.List;\nimport java.util.Map;\nclass Part {}\n",
    }
    joined = (
        "package p;\nimport java.util.List;\nimport java.util.Map;\n"
        "class A { List<Part> parts; }\nclass Part {}\n"
    )
    assert {"p/A.java": joined} in merged(files)


def test_files_of_a_package_need_not_name_each_other():
    files = {"x.go": "package p\nfunc f() { g() }\n", "y.go": "package p\nfunc g() {}\n"}
    joined = "package p\nfunc f() { g() }\nfunc g() {}\n"
    assert {"x.go": joined} in merged(files, kept=["x.go"])
    apart = files | {"y.go": "package q\nfunc g() {}\n"}
    assert merged(apart) == []


def test_a_file_that_nobody_names_is_put_behind_the_one_that_uses_most_of_it():
    """As in pytest, whose fixtures in `conftest.py` a test uses by their names."""
    files = {
        "conftest.py": "import pytest\n@pytest.fixture\ndef bank():\n    x = 1\n",
        "a_test.py": "import pytest\ndef test_a(bank):\n    pass\n",
        "b_test.py": "def test_b(x, fixture):\n    pass\n",
    }
    joined = "import pytest\ndef test_a(bank):\n    pass\n@pytest.fixture\ndef bank():\n    x = 1\n"
    assert merged(files) == [{"a_test.py": joined, "b_test.py": files["b_test.py"]}]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ('    "other", "part",', '    "other", '),
        ("xs = ['pkg.part', 'x.parts']", "xs = [ 'x.parts']"),
        ('register("./part.py")', "register()"),
    ],
)
def test_a_string_that_names_the_file_goes_where_it_is_put_behind_the_other(line, rest):
    """As in lists of plug-ins or applications, which are loaded by their names."""
    files = {"a.py": f"f(\n{line})\n", "part.py": "x = 'part'\n"}
    assert merged(files)[:2] == [
        {"a.py": f"f(\n{line})\nx = 'part'\n"},
        {"a.py": f"f(\n{rest})\nx = 'part'\n"},
    ]


def test_files_that_use_nothing_of_each_other_stay_apart():
    assert merged({"a.py": "def f(x): pass\n", "b.py": "def g(x): pass\n"}) == []


def test_traits_and_imports_in_blocks_stay_where_they_are():
    files = {
        "a.php": "<?php\nnew B;\n",
        "B.php": "<?php\nclass B\n{\n    use C;\n}\n",
    }
    joined = "<?php\nnew B;\nclass B\n{\n    use C;\n}\n"
    assert {"a.php": joined} in merged(files, kept=["a.php"])


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Makefile", "O = src/one.o src/two.o\n", "O = src/one.o\n"),
        ("make.sh", "cc -o x src/one.c src/two.c\n", "cc -o x src/one.c\n"),
        ("x.json", '{"files": ["src/one.c", "src/two.c"]}\n', '{"files": ["src/one.c"]}\n'),
    ],
)
def test_files_in_one_list_become_one(name, text, left):
    one, two = "#include <a.h>\nint a;\n", "#include <b.h>\nint b;\n"
    both = "#include <a.h>\n#include <b.h>\nint a;\nint b;\n"
    files = {name: text, "src/one.c": one, "src/two.c": two}
    assert {name: left, "src/one.c": both} in merged(files)


def test_files_of_other_kinds_are_not_put_behind_each_other():
    files = {"a.py": "open('data')", "data.txt": "x"}
    assert merged(files) == [{"a.py": "x"}]


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {"a.html": '<p><script defer src="js/b.js"></script>\n', "js/b.js": "f();\n"},
            {"a.html": "<p><script defer>\nf();\n</script>\n"},
        ),
        (
            {"a.html": "<script src=b.js></script><script src=c.js></script>", "c.js": "f()"},
            {"a.html": "<script src=b.js></script><script>\nf()\n</script>"},
        ),
        (
            {"a.html": '<link rel="stylesheet" href="b.css">', "b.css": "p { top: 0 }"},
            {"a.html": "<style>\np { top: 0 }\n</style>"},
        ),
        (
            {"a.rs": "pub mod part;\nuse part::f;\n", "part.rs": "pub fn f() {}\n"},
            {"a.rs": "pub mod part {\npub fn f() {}\n}\nuse part::f;\n"},
        ),
        (
            {"a.php": "<?php\nrequire_once __DIR__ . '/b.php';\nb();", "b.php": "<?php\nf();\n"},
            {"a.php": "<?php\nf();\nb();"},
        ),
        (
            {"a.php": "<?php\nif (1) include 'b.php';\n", "b.php": "<b><?= 1 ?></b>"},
            {"a.php": "<?php\nif (1) ?><b><?= 1 ?></b><?php \n"},
        ),
        (
            {"a.js": "const c = require('./b.json');\n", "b.json": '{"x": 1}\n'},
            {"a.js": 'const c = {"x": 1};\n'},
        ),
    ],
    ids=["script", "script beside another", "style", "Rust", "PHP", "template", "JSON"],
)
def test_a_content_is_put_where_the_language_has_such_contents(files, result):
    assert result in merged(files)


def test_where_a_line_imports_a_file_its_name_in_the_code_is_something_else():
    files = {"a.rb": "require_relative 'car'\ncar = 1\nputs car\n", "car.rb": "Car = 2\n"}
    assert {"a.rb": "Car = 2\ncar = 1\nputs car\n"} in merged(files)
    assert all(tree["a.rb"].count("Car = 2") == 1 for tree in merged(files))


def test_a_name_that_only_looks_like_that_of_the_merged_file_stays():
    files = {"a.py": "import part\nx.part.f(y_part.f, part)\npart.g()", "part.py": "g = 1"}
    assert {"a.py": "g = 1\nx.part.f(y_part.f, part)\ng()"} in merged(files)


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("from pkg import part, other as o", "from pkg import other as o"),
        ("from pkg import other as o, part as p", "from pkg import other as o"),
        ("import a.other, pkg.part as p, b", "import a.other, b"),
    ],
)
def test_a_line_that_imports_several_files_keeps_the_others(line, rest):
    name = "p" if " as p" in line else "part"
    files = {"a.py": f"{line}\n{name}.f(o.g)", "pkg/part.py": "def f(x): pass"}
    assert {"a.py": f"{rest}\ndef f(x): pass\nf(o.g)"} in merged(files)


def test_what_several_files_import_keeps_its_name():
    """Their names cannot be merged into one file, and so the others would not find them."""
    files = {"a.py": "import part\npart.f()", "b.py": "import part\npart.f()", "part.py": "f = 1"}
    assert not any("\nf()" in text for tree in merged(files) for text in tree.values())


def test_what_would_grow_or_is_kept_is_not_merged():
    files = {"a.c": '#include "b.h"\n#include "b.h"\n', "b.h": "int b;\n" * 20}
    assert merged(files) == [{"a.c": "int b;\n" * 20}]
    assert merged(files, kept=["b.h"]) == []


def test_contents_that_do_not_fit_the_grammar_are_not_tried():
    files = {"a.json": '{"see": "b.txt"}', "b.txt": "no json at all"}
    assert merged(files) == []
    assert merged(files, guard=False) == [{"a.json": "no json at all"}]


def test_contents_may_have_the_errors_that_they_had_before():
    files = {"a.c": '#include "b.h"\n', "b.h": "int x = = 2;\n"}
    assert merged(files) == [{"a.c": "int x = = 2;\n"}]


def test_a_chain_of_includes_becomes_one_file():
    """The last file has what is needed; a file counts only if the first one leads to it."""
    files = {f"f{n}.h": f'#include "f{n + 1}.h"\n' for n in range(5)} | {"f5.h": "int needle;\n"}

    def interesting(found):
        path, seen = "f0.h", b""
        while path in found:
            seen += found[path]
            path = next((p for p in sorted(found) if p.encode() in found[path] and p > path), "")
        return b"needle" in seen

    assert reduced(files, interesting, main=b"f0.h").files == {"f0.h": b"needle;\n"}


@pytest.mark.parametrize(
    ("importing", "moved", "inner", "result"),
    [
        (
            ("main.py", "from pkg.part import f"),
            ("pkg/part.py", "from .inner import g\ndef f(): g()"),
            ("pkg/inner.py", "def g(): pass"),
            "from pkg.inner import g\ndef f(): g()",
        ),
        (
            ("main.py", "from pkg.part import f"),
            ("src/pkg/part.py", "from .inner import g\ndef f(): g()"),
            ("src/pkg/inner.py", "def g(): pass"),
            "from pkg.inner import g\ndef f(): g()",
        ),
        (
            ("pkg/a/main.py", "from ..part import f"),
            ("pkg/part.py", "from .inner import g\ndef f(): g()"),
            ("pkg/inner.py", "def g(): pass"),
            "from ..inner import g\ndef f(): g()",
        ),
        (
            ("bin/main.js", "const { f } = require('../lib/part');"),
            ("lib/part.js", "const { g } = require('./inner');"),
            ("lib/inner.js", "function g() {}"),
            "const { g } = require('../lib/inner');",
        ),
        (
            ("main.rb", "require_relative 'lib/part'"),
            ("lib/part.rb", "require_relative 'inner'"),
            ("lib/inner.rb", "def g; end"),
            "require_relative 'lib/inner'",
        ),
    ],
    ids=["package", "folder above a package", "both relative", "JavaScript", "Ruby"],
)
def test_in_another_folder_files_are_named_relative_to_it(importing, moved, inner, result):
    files = dict([importing, moved, inner])
    assert {importing[0]: result, inner[0]: inner[1]} in merged(files)


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {
                "a.py": "from pkg.part import N\nfrom pkg.low import g",
                "pkg/low.py": "from .part import N\ng = N",
                "pkg/part.py": "N = 1",
            },
            {"a.py": "from pkg.low import N\nfrom pkg.low import g", "pkg/low.py": "N = 1\ng = N"},
        ),
        (
            {
                "a.ts": "import { N } from './lib/part';\nimport { g } from './lib/low';",
                "lib/low.ts": "import { N } from './part';\nexport const g = N;",
                "lib/part.ts": "export const N = 1;",
            },
            {
                "a.ts": "import { N } from './lib/low';\nimport { g } from './lib/low';",
                "lib/low.ts": "export const N = 1;\nexport const g = N;",
            },
        ),
    ],
    ids=["Python", "TypeScript"],
)
def test_of_several_files_that_import_one_the_innermost_gets_it(files, result):
    assert result in merged(files)


def test_a_package_is_not_named_where_a_file_inside_it_is():
    line = "from pkg.part import g"
    files = {
        "a.py": f"from pkg import f\n{line}",
        "pkg/__init__.py": "f = 1",
        "pkg/part.py": "g = 2",
    }
    assert {"a.py": f"f = 1\n{line}", "pkg/part.py": "g = 2"} in merged(files)
