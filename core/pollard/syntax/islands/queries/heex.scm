((expression_value) @injection.content
 (#set! injection.language "elixir"))
