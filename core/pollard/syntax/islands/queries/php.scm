; Pieces of HTML between the same PHP statements are one text.
((text) @injection.content
 (#set! injection.language "html")
 (#set! injection.combined))

((encapsed_string . (string_content) @injection.content .)
 (#match? @injection.content "^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\\s")
 (#set! injection.language "sql"))

((string . (string_content) @injection.content .)
 (#match? @injection.content "^\\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|CREATE|ALTER|DROP)\\s")
 (#set! injection.language "sql"))

((heredoc
  (heredoc_start) @injection.language
  (heredoc_body) @injection.content))
