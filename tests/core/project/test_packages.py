"""Files of several packages become files of one, so that they can be merged."""

from __future__ import annotations

import pytest

from pollard.project.phases.packages import flattened, in_program
from tests.core.project.support import reduced, tree_of


def flat(files, *kept):
    """Return the files of the flattened tree."""
    found = flattened(tree_of(files), {path.encode() for path in kept})
    return {path.decode(): each.content.decode() for path, each in found.items()}


JAVA = {
    "src/a/A.java": "package a;\n\nimport a.b.B;\nimport java.util.List;\n\n"
    "public final class A { List<B> all; a.b.B one; Object a; }\n",
    "src/a/b/B.java": "package a.b;\nimport a.*;\npublic class B { public int x; }\n",
}


def test_classes_of_java_lose_packages_and_what_imports_them():
    assert flat(JAVA) == {
        "src/a/A.java": "\nimport java.util.List;\n\nfinal class A { List<B> all; B one; Object a; }\n",
        "src/a/b/B.java": "class B { public int x; }\n",
    }


def test_members_of_classes_of_java_are_named_with_their_classes():
    files = {
        "A.java": "package a;\nimport static a.b.B.check;\nimport a.b.B.Inner;\n"
        "class A { Inner x; int y = check(check.z); }\n",
        "B.java": "package a.b;\npublic class B { static class Inner {} }\n",
    }
    assert flat(files)["A.java"] == "class A { B.Inner x; int y = B.check(B.check.z); }\n"


def test_classes_of_java_get_the_package_of_a_program_that_is_called_by_it():
    """As for a compiler, a file has one package, and a class is found in its own or by an import."""
    files = {
        "src/a/Main.java": "package a.b;\nimport c.Part;\npublic class Main {\n"
        "  public static void main(String[] args) { new Part(); }\n}\n",
        "src/c/Part.java": "package c;\npublic class Part { int x; }\n",
    }

    def interesting(found):
        texts = list(found.values())
        packages = {text.partition(b"\n")[0] for text in texts}
        return (
            all(text.count(b"package") == 1 for text in texts)
            and any(b"package a.b;" in text and b"new Part" in text for text in texts)
            and any(b"class Part" in text for text in texts)
            and any(b"import" in text for text in texts) == (len(packages) == 2)
        )

    result = reduced(files, interesting)
    assert len(result.files) == 1
    assert b"package a.b;" in next(iter(result.files.values()))


def test_classes_of_php_lose_namespaces():
    files = {
        "a.php": "<?php\nuse Shop\\Cart;\nuse Other\\Thing;\nnew Cart(new \\Shop\\Item);\n",
        "src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {}\n",
    }
    assert flat(files) == {
        "a.php": "<?php\nuse Other\\Thing;\nnew Cart(new Item);\n",
        "src/Cart.php": "<?php\nclass Cart {}\n",
    }


PHP = {
    "index.php": "<?php\ndeclare(strict_types=1);\nrequire __DIR__ . '/src/load.php';\n"
    "use Shop\\{Cart, Item};\necho Cart::of(new Item);\n",
    "src/load.php": "<?php\nspl_autoload_register(function ($c) {});\n",
    "src/Cart.php": "<?php\nnamespace Shop;\nrequire_once 'Sum.php';\n"
    "class Cart extends Sum\n{\n    use Old;\n}\n",
    "src/Item.php": "<?php\ndeclare(strict_types=1);\nnamespace Shop;\nclass Item {}\n",
    "src/Sum.php": "<?php\nnamespace Shop;\nabstract class Sum {}\n",
    "src/Old.php": "<?php\nnamespace Shop;\ntrait Old {}\n",
}


def test_classes_of_php_are_put_into_the_program_behind_those_that_they_are_made_of():
    flattened_files = tree_of(flat(PHP))
    inner = [path for path in flattened_files if path[4:5].isupper()]
    found = in_program(flattened_files, b"index.php", inner)
    assert found.keys() == {b"index.php", b"src/load.php"}
    assert found[b"index.php"].content.decode() == (
        "<?php\ndeclare(strict_types=1);\nrequire __DIR__ . '/src/load.php';\n"
        "abstract class Sum {}\ntrait Old {}\nclass Cart extends Sum\n{\n    use Old;\n}\n"
        "class Item {}\necho Cart::of(new Item);\n"
    )


def test_a_program_of_php_that_finds_classes_by_their_names_becomes_one_file():
    """As for PHP, a class is found in the program, or in the file of its name and namespace."""

    def interesting(found):
        program = found.get("index.php", b"")
        loaded = [program] if b"load.php" not in program else [program, *found.values()]
        return b"Cart::of" in program and any(b"class Cart" in text for text in loaded)

    result = reduced(PHP, interesting, main=b"index.php")
    assert result.files.keys() == {"index.php"}


GO = {
    "cmd/x/main.go": 'package main\n\nimport (\n\t"fmt"\n\tp "example.com/x/part"\n)\n\n'
    "func main() { fmt.Println(p.F()) }\n",
    "part/part.go": 'package part\n\nimport "fmt"\n\nimport "example.com/x/part/deep"\n\n'
    "func F() string { return fmt.Sprint(deep.G(), part.H) }\n",
    "part/deep/deep.go": "package deep\n\nfunc G() int { return 1 }\n",
}


def test_packages_of_go_are_put_into_the_program():
    (path, text), *others = flat(GO).items()
    assert (path, others) == ("cmd/x/main.go", [])
    assert text.startswith('package main\nimport "fmt"\n')
    assert text.count("import") == 1
    assert "func main() { fmt.Println(F()) }\n" in text
    assert "func F() string { return fmt.Sprint(G(), part.H) }\n" in text
    assert "func G() int { return 1 }\n" in text


GO_TESTS = {
    "go.mod": "module example.com/x\n",
    "part/part.go": "package part\nfunc F() int { return 1 }\n",
    "use/use.go": 'package use\nimport "example.com/x/part"\nfunc G() int { return part.F() }\n',
    "use/use_test.go": 'package use\nimport "testing"\nfunc TestG(t *testing.T) { G() }\n',
}


def test_packages_of_go_are_put_into_their_only_test():
    found = flat(GO_TESTS)
    assert found.keys() == {"go.mod", "use/use_test.go"}
    text = found["use/use_test.go"]
    assert text.startswith('package main\nimport "testing"\nfunc TestG')
    assert "func G() int { return F() }\n" in text


def test_what_several_packages_of_go_declare_gets_their_names():
    files = {
        "main.go": 'package main\nimport "x/a"\nimport other "x/b"\n'
        "func main() { a.New(other.New()) }\n",
        "a/a.go": "package a\ntype T int\nfunc New(b T) { c.New(New) }\n",
        "b/b.go": "package b\nfunc New() T { return 1 }\ntype U int\n",
    }
    (text,) = flat(files).values()
    assert "func main() { aNew(bNew()) }\n" in text
    assert "func aNew(b T) { c.New(aNew) }\n" in text
    assert "func bNew() T { return 1 }\n" in text


def test_a_package_in_the_folder_of_a_module_of_go_is_put_into_the_program():
    files = {
        "go.mod": "module example.com/x\n",
        "x.go": "package x\nfunc F() {}\n",
        "cmd/main.go": 'package main\nimport "example.com/x"\nfunc main() { x.F() }\n',
    }
    assert "func main() { F() }" in flat(files)["cmd/main.go"]


def test_of_several_tests_of_go_the_one_that_the_failure_names_takes_the_others_in():
    more = GO_TESTS | {"part/part_test.go": "package part\nfunc TestF(t *testing.T) {}\n"}
    assert flat(more) == more
    found = flattened(tree_of(more), named=[b"part/part.go", b"use/use_test.go"])
    assert found.keys() == {b"go.mod", b"use/use_test.go"}


RUST = {
    "Cargo.toml": '[package]\nname = "my-shop"\n',
    "src/lib.rs": "pub mod a { pub fn f() { crate::g() } }\npub fn g() {}\n",
    "src/main.rs": "fn main() { my_shop::g() }\n",
    "tests/a.rs": "extern crate my_shop;\nuse my_shop::a;\n#[test]\nfn t() { a::f(); super::g() }\n",
}


def test_a_crate_of_rust_is_put_into_the_test_that_uses_it():
    assert flat(RUST) == {
        "Cargo.toml": RUST["Cargo.toml"],
        "tests/a.rs": "\nuse crate::my_shop::a;\n#[test]\nfn t() { a::f(); super::g() }\n"
        "mod my_shop {\npub mod a { pub fn f() { crate::my_shop::g() } }\npub fn g() {}\n}\n",
    }


def test_without_a_test_a_crate_of_rust_is_put_into_the_program():
    files = {path: text for path, text in RUST.items() if path != "tests/a.rs"}
    found = flat(files)
    assert found.keys() == {"Cargo.toml", "src/main.rs"}
    assert found["src/main.rs"].startswith("fn main() { crate::my_shop::g() }\nmod my_shop {\n")


def test_what_a_manifest_of_rust_names_stays_empty():
    named = '[lib]\npath = "src/lib.rs"\n[[bin]]\nname = "x"\npath = "src/main.rs"\n'
    found = flat(RUST | {"Cargo.toml": RUST["Cargo.toml"] + named})
    assert found["src/lib.rs"] == ""
    assert found["src/main.rs"] == "fn main() {}\n"


def test_a_program_of_rust_takes_in_several_crates():
    """A crate that another one depends on must have a library, though it may be empty."""
    files = {
        "app/Cargo.toml": '[package]\nname = "app"\n[dependencies]\none = { path = "../one" }\n',
        "app/src/main.rs": "fn main() { one::f() }\n",
        "one/Cargo.toml": '[package]\nname = "one"\n[dependencies]\ntwo = { path = "../two" }\n',
        "one/src/lib.rs": "pub use two as other;\npub fn f() { two::g() }\n",
        "two/Cargo.toml": '[package]\nname = "two"\n[lib]\npath = "lib.rs"\n',
        "two/lib.rs": "pub fn g() { crate::g() }\n",
    }
    found = flat(files)
    assert (found["one/src/lib.rs"], found["two/lib.rs"]) == ("", "")
    assert found["app/src/main.rs"] == (
        "fn main() { crate::one::f() }\n"
        "mod one {\npub use crate::two as other;\npub fn f() { crate::two::g() }\n}\n"
        "mod two {\npub fn g() { crate::two::g() }\n}\n"
    )


@pytest.mark.parametrize(
    "files",
    [
        {"a.go": "package main\nfunc main() {}\n"},
        {"a.go": "package part\n", "b/b.go": "package more\n"},
        {f"{n}/a.go": "package main\nfunc main() {}\n" for n in range(2)},
        {"a.py": "import b\n", "b.py": "package = 1\n"},
        {path: text for path, text in RUST.items() if path in ("Cargo.toml", "src/lib.rs")},
        RUST | {"src/main.rs": RUST["tests/a.rs"]},
    ],
    ids=["one file", "no program", "two programs", "no packages", "a library", "two tests"],
)
def test_other_trees_stay_as_they_are(files):
    assert flat(files) == files


def test_a_file_that_is_kept_does_not_go():
    assert flat(GO, "part/part.go") == GO


def test_files_of_two_packages_end_as_one():
    """As for a compiler, a file has one package, and a class is found in its own or by an import."""
    files = {
        "App.java": "package a;\nimport b.Part;\npublic class App { Part needle; }\n",
        "Part.java": "package b;\npublic class Part { int more; }\n",
    }

    def interesting(found):
        text = b"".join(found.values())
        packages = {each.partition(b"\n")[0] for each in found.values() if b"package" in each}
        return (
            b"Part needle" in text
            and b"class Part" in text
            and all(
                each.count(b"package") == each.startswith(b"package") for each in found.values()
            )
            and (b"import b.Part" in text) == (len(packages) == 2)
        )

    result = reduced(files, interesting)
    assert result.files == {"App.java": b"Part needle;\nclass Part {}\n"}
