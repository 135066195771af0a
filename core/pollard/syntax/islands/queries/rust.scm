; The arguments of the standard macros that take expressions.
((macro_invocation
  macro: (identifier) @_macro
  (token_tree) @injection.content)
 (#any-of? @_macro "print" "println" "eprint" "eprintln" "format" "format_args" "write" "writeln" "panic" "todo" "unimplemented" "unreachable" "assert" "assert_eq" "assert_ne" "debug_assert" "debug_assert_eq" "debug_assert_ne" "dbg" "vec")
 (#set! injection.language "rust")
 (#set! injection.include-children))
