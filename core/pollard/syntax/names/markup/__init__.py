"""Markup: elements between tags, their names, and ways to say the same with fewer of them.

XML has no declarations with uses, but it has what is like them: a prefix that an attribute declares and
names use, and an element that others refer to by its name. In JSON and YAML, references name values by
their paths. As in `pollard.syntax.names.plainer`, the functions yield the edits of each change. The
syntax guard and the oracle judge them.

The modules, in reading order:

- `tagged_elements`: elements with their tags and attributes, in any grammar that has them.
- `prefixes`: names without their prefixes, or with the default namespace in their place.
- `dissolved_elements`: an element that leaves its attributes to one of its children.
- `referred_elements`: an element in the place of what refers to it.
- `referred_values`: a value of JSON or YAML in the place of what refers to it.
- `skipped_items`: data without an item between two others.
- `tag_names`: the places of each name and prefix.
- `template_blocks`: blocks between tags of a template, whatever the text around them is.
- `template_values`: what a tag of a template assigns, in the place of its name.

`pollard.passes.coupling` and `pollard.passes.shortening.renaming` import this room. It imports
its parent, `pollard.syntax.names`, and `pollard.syntax.tree`.
"""
