((sigil
  (sigil_name) @_name
  (quoted_content) @injection.content)
 (#any-of? @_name "H" "LVN")
 (#set! injection.language "heex"))

((sigil
  (sigil_name) @_name
  (quoted_content) @injection.content)
 (#any-of? @_name "r" "R")
 (#set! injection.language "regex"))
