((block
  name: (expr) @_name
  parameter: (expr) @injection.language
  contents: (contents) @injection.content)
 (#set! injection.include-children)
 (#any-of? @_name "src" "SRC" "export" "EXPORT"))
