"""Queries of databases with less of what they read.

- `tableless_queries`: queries without the tables that they read.
- `inner_queries`: queries with a name in the place of that.

The room imports its parent's parent, `pollard.syntax.names`, and `pollard.syntax.tree`.
"""
