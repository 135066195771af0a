((directive
  (type) @_type
  (body (arguments) @injection.language (content) @injection.content))
 (#any-of? @_type "code" "code-block" "sourcecode"))
