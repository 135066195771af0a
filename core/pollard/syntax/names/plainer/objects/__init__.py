"""Objects and classes that are hardly used, and what says the same without them or with less of them.

- `single_objects`: classes that make one object or only group functions, and functions and variables in
  their place.
- `objectless`: what parts of such a class become without it.
- `written_objects`: objects that are written in the text: members that are assigned later move into
  them, or all become variables.
- `object_literals`: objects that are written where a class made them.
- `merged_bases`: classes that take in the members of their base.
- `moved_generics`: parameters for types that methods get when they leave what has them.
- `thin_classes`: classes that only hand values on to their base, which takes their place.

The room imports its parent's parent, `pollard.syntax.names`, and `pollard.syntax.tree`.
"""
