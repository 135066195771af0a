"""The names of a document: what defines them, what uses them, and what can stand in for them.

Most of a program cannot go because something else names it. Passes therefore ask this room which
parts belong together. It knows no compiler's rules, only what holds for most languages: four ideas
are enough.

*A name is a text.* Two places with the same text are the same name, unless a function defines it
for itself: then the name has that meaning inside the function, its *scope*. Types, overloads and
namespaces are not considered. A wrong guess costs a run of the oracle and nothing else, since every
result is checked.

*Grammars say what defines a name.* Nearly all of them put it into a field called `name`,
`declarator` or `pattern`. What differs is data: one TOML file for each language in the folder
`languages`, on top of `common.toml`. Adding a language touches its file only; see "Teach Pollard a
language's names" in CONTRIBUTING.md.

*A definition belongs to a unit*, that is, to what one edit can take away
(`pollard.syntax.branches`). A deletion wants the innermost unit that defines a name, such as one
variable of several. A replacement wants the outermost one without the uses, because nothing of the
declaration may be left.

*There are three ways to find uses*, which differ in what a mistake costs:

- `Names` finds places in the tree, by scope. Coupled deletion removes them together with the
  definition.
- `ReplaceableNames` finds all places, whatever their scope, since a name that is left would be
  undefined.
- `Uses` counts words of the text, comments and strings included, since it must quickly decide for
  thousands of units whether they can go alone.

The modules, in reading order:

- `roles`: what nodes, fields and pieces of text do for names.
- `conventions`: the data about each language by role, and how it spells words.
- `presence`: where a document may have functions, exports or definitions at all.
- `definitions`: `Definition`, and what a single node defines, assigns or imports.
- `names`: `Names`, all definitions of a document with their scopes and uses.
- `replaceable`: `ReplaceableNames`, the names whose every place can be changed.
- `stand_ins`: a literal or another name in the place of a name.
- `calls`: where a name is used, its sign, its call, and the chain of calls that it begins.
- `written_collections`: elements of lists and the like, and the names that a pattern gives them.
- `inlinable`: what a definition contains, with the arguments of a call in the place of parameters.
- `members`: members of an object that are assigned once.
- `quoted_code`: strings whose text is code.
- `plainer`, a room: several places that change at once, such as a method that becomes a function.
- `markup`, a room: elements, their prefixes and their names.
- `lone`, a room: a statement or an expression without the rest of a program.
- `uses`: `Uses`, which of many siblings use each other.

This room imports `pollard.syntax.grammars`, `tree`, `islands` and `branches`. The rooms `coupling`,
`heaviest` and `shortening` of `pollard.passes` import it.
"""
