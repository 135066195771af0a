; The name of the tag is the name of the language: html`...`, css`...`, sql`...`.
((call_expression
  function: [
   (identifier) @injection.language
   (member_expression property: (property_identifier) @injection.language)]
  arguments: (template_string (string_fragment) @injection.content))
 (#any-of? @injection.language "html" "css" "scss" "sql" "graphql" "gql" "json" "markdown" "md")
 (#set! injection.combined))

((call_expression
  function: (identifier) @_tag
  arguments: (template_string (string_fragment) @injection.content))
 (#eq? @_tag "svg")
 (#set! injection.language "html")
 (#set! injection.combined))

((regex_pattern) @injection.content
 (#set! injection.language "regex"))
