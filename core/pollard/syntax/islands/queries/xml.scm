((element
  (STag (Name) @_name)
  (content [(CharData) @injection.content (CDSect (CData) @injection.content)]))
 (#eq? @_name "style")
 (#set! injection.language "css"))

((element
  (STag (Name) @_name)
  (content [(CharData) @injection.content (CDSect (CData) @injection.content)]))
 (#eq? @_name "script")
 (#set! injection.language "javascript"))
