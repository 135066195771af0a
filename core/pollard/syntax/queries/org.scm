((block
  name: (expr) @_name
  parameter: (expr) @injection.language
  contents: (contents) @injection.content)
 (#any-of? @_name "src" "SRC" "export" "EXPORT"))
