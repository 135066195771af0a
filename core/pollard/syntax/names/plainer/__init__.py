"""Ways to say the same more plainly: each finds its places, and yields the edits of each place.

A person who reduces a program by hand does not only delete: a structure becomes its only field, a
method a function. Such a change touches several places at once and has hardly any parts that could
be tried alone. The edits need not keep the meaning. The syntax guard and the oracle judge them, as
all edits.

The modules, in no particular order:

- `single_fields`: structures of one field and objects of one key, and what these hold in their place.
- `spelled_imports`: the path of an import in the places of its name, and types without their header.
- `resultless`: functions without what they return.
- `fewer_results`: functions without one of several results.
- `instances`: generic types with the arguments that they always get.
- `fewer_levels`: pointers and arrays with one level less.
- `plain_expressions`: expressions without brackets around them, calls without detours, and private
  members as plain ones.
- `loose_members`: members of a class that become functions and variables around it.
- `unwrapped_types`: types that wrap another one, and the wrapped type in their place.
- `written_loops`: loops over a list that is written there, and one element in their place.
- `single_elements`: of other loops the declaration of the variable. Also elements that are taken of a
  written collection, and of a list that a decorator has for a parameter.
- `accumulated`: variables that change after their declaration, and the change in the place of that.
- `placed_functions`: functions that a table of Lua holds, and functions that need no table.

The room `bodies` is about functions, loops and macros whose bodies alone are needed.
The room `objects` has the ways to do without objects and classes, or with less of them, and the room
`queries` those of databases.

To add one, write a function from a `Document` to lists of edits, and name it in
`pollard.passes.coupling.inlining`, the only module that imports this room. Nodes come by the kinds and
fields in `languages/common.toml`.

The room imports its parent, `pollard.syntax.names`, and `pollard.syntax.tree`.
"""
