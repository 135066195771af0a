((regex . (string_content) @injection.content .)
 (#set! injection.language "regex"))

((heredoc_body
  (heredoc_content) @injection.content
  (heredoc_end) @injection.language)
 (#set! injection.combined))
