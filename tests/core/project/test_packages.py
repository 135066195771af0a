"""Files of several packages become files of one, so that they can be merged."""

from __future__ import annotations

import pytest

from pollard.project.phases.packages import flattened
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


def test_classes_of_php_lose_namespaces():
    files = {
        "a.php": "<?php\nuse Shop\\Cart;\nuse Other\\Thing;\nnew Cart(new \\Shop\\Item);\n",
        "src/Cart.php": "<?php\nnamespace Shop;\nclass Cart {}\n",
    }
    assert flat(files) == {
        "a.php": "<?php\nuse Other\\Thing;\nnew Cart(new Item);\n",
        "src/Cart.php": "<?php\nclass Cart {}\n",
    }


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


@pytest.mark.parametrize(
    "files",
    [
        {"a.go": "package main\nfunc main() {}\n"},
        {"a.go": "package part\n", "b/b.go": "package more\n"},
        {f"{n}/a.go": "package main\nfunc main() {}\n" for n in range(2)},
        {"a.py": "import b\n", "b.py": "package = 1\n"},
    ],
    ids=["one file", "no program", "two programs", "no packages"],
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
