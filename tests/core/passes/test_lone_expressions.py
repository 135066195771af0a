"""One expression alone: in languages of expressions, the one that fails becomes the program."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import alone, named
from tests.core.passes.support import Case, reduced

OCAML = b"""type item = { name : string; stock : int }
exception Sold_out of string * int
let unused = 7
let take item count = raise (Sold_out (item.name, count))
let book items =
  List.iter (fun item -> take item 2) items;
  List.length items
let () = print_int (book [ { name = "a hammer"; stock = 1 }; { name = "some nails"; stock = 100 } ])
"""
HASKELL = b"""module Main where
import Data.List

average :: [Int] -> Int
average xs = sum xs `div` length xs

summary name marks = name ++ ": " ++ show (average marks)

main :: IO ()
main = mapM_ putStrLn (map (\\(name, marks) -> summary name marks) [("ann", [1, 2]), ("bob", [])])
"""
LISP = b"""(define-condition sold-out (error) ())
(defun total (items) (apply (function +) items))
(defun check (items)
  (labels ((visit (item path)
             (error 'sold-out :item item)))
    (dolist (item items) (visit item nil))))
(print (total (list 1 2 3)))
(check (list "a hammer" "some nails" "and a line so that the text is long enough"))
"""
SCHEME = b"""(use-modules (srfi srfi-9))
(define-record-type book (make-book title year) book? (title book-title) (year book-year))
(define (find-book title) (assoc title '()))
(define (process command)
  (match command
    ((title) (book-year (find-book title)))
    (else 'unknown)))
(process '("a title that is not among the books"))
"""
SQL = b"""CREATE TABLE orders (id int, total int, name text);
INSERT INTO orders VALUES (1, 20, 'a hammer'), (2, 30, 'some nails');
SELECT o.name, upper(o.name) || '!' FROM orders o
WHERE o.total > 10 AND json_extract(o.name, '$') = 1 ORDER BY o.id;
"""
R = b"""library(stats)
average <- function(course, student) {
  found <- course@marks[[student]]
  if (median(found) > 4) return("failed")
}
result <- average(new("Course", marks = list()), "somebody with a long name")
"""
GO = b"""package main

import "strings"

type Job struct {
	Name  string
	Parts []string
}

type Queue struct{ jobs map[string]*Job }

func (q *Queue) Add(job *Job) {
	q.jobs[job.Name] = job
}

func last(job *Job) string {
	return strings.ToUpper(job.Parts[len(job.Parts)-1])
}

func main() {
	queue := &Queue{}
	queue.Add(&Job{Name: "build"})
	println(last(queue.jobs["build"]))
}
"""
JSONNET = b"""local defaults = { image: 'shop', ports: [80] };
local container(options) = {
  ports: options.ports + [443],
  image: 'registry/%s:%s' % [options.image, options.tag],
};
{ containers: [container(defaults + { replicas: 3 })] }
"""
PASCAL = b"""program marks;
{$mode objfpc}
uses SysUtils;
type EMark = class(Exception);
function Mark(const Text: string): Integer;
var I: Integer;
begin
  I := 1;
  Result := StrToInt(Text) + I;
end;
procedure Check(const Name: string; Found: Integer);
begin
  if Found > 6 then raise EMark.Create(Name);
end;
begin
  Check('ann', Mark('seven'));
end.
"""
ELIXIR = b"""defmodule Queue do
  defstruct front: [], size: 0
  def pop(%Queue{front: [item | rest]} = q), do: {item, %Queue{q | front: rest, size: q.length - 1}}
end
defmodule Report do
  def show(line, limit) do
    case String.split(line, " ") do
      [name] -> String.pad_leading(name, limit)
      _ -> Queue.pop(line)
    end
  end
end
IO.puts(Report.show("a line so that the text is long enough", 7))
"""

CPP = b"""#include <map>
#include <string>
namespace shop {
struct Product { double price; };
class Inventory {
public:
    double price(const std::string &name) { return this->products_.at(name).price; }
private:
    const std::map<std::string, Product> products_;
};
}
int main() { shop::Inventory inventory; return inventory.price("a hammer, and some nails"); }
"""
JAVA = b"""import java.util.*;
class Outer extends Base {
    enum Level { LOW, HIGH }
    record Entry(Level level, String text) {}
    static class Log {
        private final List<Entry> entries = new ArrayList<>();
        Entry last(Level least) {
            return this.entries.stream().filter(e -> e.level() == least).findFirst().get();
        }
        String text(Object raw) { return ((String) raw).trim(); }
        Object named(String name) {
            for (var each : entries) { System.out.println(each.text()); }
            return name;
        }
    }
    public static void main(String[] args) { System.out.println(new Log().last(Level.LOW)); }
}
class Base {}
class Other {}
"""
CSHARP = b"""using System.Collections.Generic;
namespace Shop
{
    class Prices
    {
        readonly Dictionary<string, int> prices = new Dictionary<string, int>();
        public int Of(string name) { return prices[name] * 2; }
    }
    static class Program { static void Main(string[] args) { new Prices().Of("tea"); } }
}
"""
RUST = b"""use std::collections::HashMap;
#[derive(Clone)]
struct Task { name: String }
#[derive(Clone)]
struct Other { name: String }
struct Plan { tasks: HashMap<String, Task> }
impl Plan {
    fn visit(&self, name: &str) -> String { let task = self.tasks[name].clone(); task.name }
}
fn main() { Plan { tasks: HashMap::new() }.visit("a line so that the text is long enough"); }
"""
WANTED = {
    "C++, with values of declared types": (
        "cpp",
        CPP,
        (
            b"#include <map> #include <string> namespace { struct Product { double price; }; ; } "
            b"int main() { std::map<std::string, Product>().at(std::string()); }"
        ),
    ),
    "C++, what throws": (
        "cpp",
        CPP.replace(b"return this", b"throw std::string(name); return this"),
        (
            b"#include <map> #include <string> namespace { ; } "
            b"int main() { throw std::string(std::string()); }"
        ),
    ),
    "C#, in its namespace, with an empty collection": (
        "csharp",
        CSHARP,
        (
            b"using System.Collections.Generic; namespace Shop { static class Program { "
            b"static void Main() { object v = "
            b'new System.Collections.Generic.Dictionary<string, int>()[""] * 2; } } }'
        ),
    ),
    "Java, in the class where it begins, with what is missing": (
        "java",
        JAVA,
        (
            b"import java.util.*; class Outer extends Base { "
            b"public static void main(String[] a) { ((String) ((Object) null)).trim(); } } "
            b"class Base {}"
        ),
    ),
    "Java, with an object of another class": (
        "java",
        JAVA,
        (
            b"import java.util.*; class Outer extends Base { "
            b"public static void main(String[] a) { ((String) ((Object) 0)).trim(); } } "
            b"class Base {}"
        ),
    ),
    "Java, with an empty collection and what it needs": (
        "java",
        JAVA,
        (
            b"import java.util.*; class Outer extends Base { enum Level { LOW, HIGH } "
            b"record Entry(Level level, String text) {} public static void main(String[] a) { "
            b"new java.util.ArrayList<Entry>().stream().filter(e -> e.level() == ((Level) null))"
            b".findFirst().get(); } } class Base {}"
        ),
    ),
    "Rust, with a type and its attribute": (
        "rust",
        RUST,
        (
            b"use std::collections::HashMap; #[derive(Clone)] struct Task { name: String } "
            b"fn main() { <HashMap<String, Task>>::default()[<&str>::default()].clone(); }"
        ),
    ),
    "a call of Go, with declared types": (
        "go",
        GO,
        (
            b'package main import "strings" func main() { strings.ToUpper((*new([]string))'
            b"[len((*new([]string)))-1]) }"
        ),
    ),
    "an assignment of Go": (
        "go",
        GO,
        (
            b"package main type Job struct { Name string Parts []string } func main() { "
            b"(*new(map[string]*Job))[(*new(string))] = (*new(*Job)) }"
        ),
    ),
    "an element of Go, which gets a value of its type": (
        "go",
        GO.replace(b"= job", b"= make(job)"),
        (
            b"package main type Job struct { Name string Parts []string } func main() { "
            b'(*new(map[string]*Job))[""] = nil }'
        ),
    ),
    "a call of Pascal": (
        "pascal",
        PASCAL,
        b"program marks; {$mode objfpc} uses SysUtils; begin StrToInt('') end.",
    ),
    "an exception of Pascal and its type": (
        "pascal",
        PASCAL,
        (
            b"program marks; {$mode objfpc} uses SysUtils; type EMark = class(Exception); "
            b"begin raise EMark.Create(''); end."
        ),
    ),
    "a member of nothing": ("elixir", ELIXIR, b"nil.length - 1"),
    "a member of an empty object": ("elixir", ELIXIR, b"%{}.length - 1"),
    "what a form takes apart": ("elixir", ELIXIR, b'String.split(nil, " ")'),
    "a function of another module": (
        "elixir",
        ELIXIR,
        b" ".join(ELIXIR[: ELIXIR.index(b"defmodule Report")].split()) + b" Queue.pop(nil)",
    ),
    "an exception and its type": (
        "ocaml",
        OCAML,
        (
            b"type item = { name : string; stock : int } exception Sold_out of string * int "
            b'let _ = raise (Sold_out ((Obj.magic ""), (Obj.magic "")))'
        ),
    ),
    "operands with their own lists": (
        "haskell",
        HASKELL,
        b"module Main where import Data.List main = seq (sum [] `div` length []) (return ())",
    ),
    "a local function of Lisp": (
        "commonlisp",
        LISP,
        b"(define-condition sold-out (error) ()) (error 'sold-out :item '())",
    ),
    "the columns and a condition of a query": (
        "sql",
        SQL,
        b"SELECT 1 > 10 AND json_extract(1, '$') = 1, 1, upper(1) || '!';",
    ),
    "a condition, if the columns fail otherwise": (
        "sql",
        SQL,
        b"SELECT '' > 10 AND json_extract('', '$') = 1;",
    ),
    "a condition of R": ("r", R, b"library(stats) if (median(NA) > 4) 0"),
    "what a variable of R gets": ("r", R, b"library(stats) NULL@marks[[NULL]]"),
    "a member in Jsonnet": ("jsonnet", JSONNET, b"{}.tag"),
    "an operator in Jsonnet": ("jsonnet", JSONNET, b"null.ports + [443]"),
    "a call that needs another function": (
        "scheme",
        SCHEME,
        (
            b"(use-modules (srfi srfi-9)) (define-record-type book (make-book title year) book? "
            b"(title book-title) (year book-year)) (define (find-book title) (assoc title '())) "
            b"(book-year (find-book '()))"
        ),
    ),
}


def _plain(text: bytes) -> bytes:
    return b" ".join(text.split())


@pytest.mark.parametrize("name", WANTED)
def test_the_expression_that_fails_becomes_the_program_with_all_that_it_needs(name: str) -> None:
    language, text, wanted = WANTED[name]
    case = Case(text, language, lambda new: new == text or _plain(new) == wanted)
    assert _plain(reduced(case, alone).text) == wanted


def test_what_the_failure_names_comes_before_all_else_with_no_other_expression() -> None:
    line = b"    return strings.ToUpper(job.Parts[len(job.Parts)-1])"
    case = Case(GO, "go", lambda text: text == GO)
    asked = reduced(case, named, failing_lines=[line]).judge.asked
    assert [_plain(each) for each in asked] == [WANTED["a call of Go, with declared types"][2]]


BEYOND = {
    "rust": (
        b"fn f(rows: &Vec<&str>, at: usize) { rows[at].len(); }\nfn main() { f(&vec![], 0) }\n",
        b"fn main() { vec![<&str>::default(); 3][5].len(); }",
    ),
    "go": (
        b"package main\nfunc f(rows []string, at int) { g(rows[at]) }\nfunc main() { f(nil, 0) }\n",
        b"package main func main() { _ = make([]string, 3)[5] }",
    ),
    "cpp": (
        b"#include <vector>\nint f(std::vector<int> rows, int at) { rows.at(at); }\nint main() {}\n",
        b"#include <vector> int main() { std::vector<int>(3).at(5); }",
    ),
    "java": (
        (
            b"class A { int f(int[] rows, int at) { f(rows[at]); }\nstatic int unneeded = 7;\n"
            b"public static void main(String[] a) { } }\n"
        ),
        b"class A { public static void main(String[] a) { var v = (new int[3])[5]; } }",
    ),
    "go, of no known type": (
        b"package main\nfunc f(at int) { for _, a := range g() { h(a[at]) } }\nfunc main() { }\n",
        b"package main func main() { _ = make([]int, 3)[5] }",
    ),
}


@pytest.mark.parametrize("name", BEYOND)
def test_an_index_is_beyond_a_collection_of_the_length_that_the_failure_names(name: str) -> None:
    text, wanted = BEYOND[name]
    case = Case(
        text, name.split(",", maxsplit=1)[0], lambda new: new == text or _plain(new) == wanted
    )
    found = reduced(case, named, failing_lines=text.splitlines(), failing_bounds=(5, 3))
    assert _plain(found.text) == wanted


def test_what_the_first_of_the_named_lines_has_comes_first() -> None:
    lines = [JAVA.splitlines()[9], JAVA.splitlines()[7]]
    case = Case(JAVA, "java", lambda text: text == JAVA)
    asked = reduced(case, named, failing_lines=lines).judge.asked
    assert [b".trim()" in each for each in asked] == [True, False, True, False]


def test_without_a_beginning_no_class_of_java_becomes_a_program() -> None:
    assert _asked(JAVA.replace(b"main(", b"run("), "java") == []


def test_a_variable_of_no_known_type_has_no_members_where_types_are_declared() -> None:
    assert not any(b"null.text" in each or b"0.text" in each for each in _asked(JAVA, "java"))


def _asked(text: bytes, language: str) -> list[bytes]:
    asked = reduced(Case(text, language, lambda _: False), alone).judge.asked
    return [_plain(each) for each in asked]


def test_where_no_expression_fails_alone_few_are_tried() -> None:
    many = OCAML + b"".join(b"let f%d x = float_of_int x\n" % each for each in range(40))
    assert 0 < len(_asked(many, "ocaml")) <= 20


def test_the_expressions_of_queries_are_tried_together() -> None:
    many = SQL + b"".join(b"SELECT total + %d FROM orders;\n" % each for each in range(40))
    assert 0 < len(_asked(many, "sql")) <= 6


def test_an_assignment_of_r_is_no_expression_that_fails() -> None:
    assert not any(b"NA <-" in each or b"return" in each for each in _asked(R, "r"))


def test_what_is_called_and_what_has_a_name_at_the_top_get_no_value() -> None:
    asked = _asked(HASKELL, "haskell")
    assert any(b"average []" in each for each in asked)
    assert not any(b"[] marks" in each or b"show []" in each for each in asked)


def test_a_constructor_of_a_type_does_not_fail() -> None:
    asked = _asked(HASKELL + b"table = Table (sum [1, 2, 3])\n", "haskell")
    assert not any(b"main = Table" in each for each in asked)


def test_an_argument_is_not_tried_without_its_call() -> None:
    assert not any(each.startswith(b"let _ = Sold_out") for each in _asked(OCAML, "ocaml"))


def test_a_short_text_is_left_to_the_detailed_search() -> None:
    assert _asked(b"let f x = raise (Failure x)\nlet () = f 1\n", "ocaml") == []


def test_a_failure_that_names_no_line_but_bounds_is_tried_with_these_alone() -> None:
    text = (
        b"int f(std::vector<int> rows, int at) { rows.size(); return rows.at(at) + rows.at(0); }\n"
    )
    case = Case(text + b"int main() {}\n", "cpp", lambda new: new.startswith(text))
    asked = reduced(case, named, failing_bounds=(5, 3)).judge.asked
    assert [_plain(each) for each in asked] == [b"int main() { std::vector<int>(3).at(5); }"]
