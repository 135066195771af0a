"""Functions, loops and macros, and what is left of them where only their bodies are needed.

- `short_functions`: functions with an arrow in the place of a word, a body and `return`.
- `single_rounds`: one round of a loop that counts, and conditions in the place of loops and switches.
- `expanded_macros`: what macros stand for in the places of their uses.
- `typed_variables`: variables in the place of functions of which only the type of the result matters.

The room imports its parent's parent, `pollard.syntax.names`, and `pollard.syntax.tree`.
"""
