; Only strings whose bytes are what they stand for: no escapes, no interpolations.
((call
  function: (attribute
   object: (identifier) @_module
   attribute: (identifier) @_function)
  arguments: (argument_list
   .
   (string (string_start) . (string_content) @injection.content . (string_end))))
 (#any-of? @_module "re" "regex")
 (#any-of? @_function "compile" "match" "fullmatch" "search" "split" "findall" "finditer" "sub" "subn")
 (#set! injection.language "regex"))

; As a pattern, a list of arguments with a string somewhere would be waited for in all of thousands of
; nested calls at once.
((string (string_start) . (string_content) @injection.content . (string_end)) @_string
 (#match? @injection.content "^\\s*(?i:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\\s")
 (#has-parent? @_string argument_list)
 (#set! injection.language "sql"))

((assignment
  right: (string (string_start) . (string_content) @injection.content . (string_end)))
 (#match? @injection.content "^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\\s")
 (#set! injection.language "sql"))
