((script_element (raw_text) @injection.content)
 (#set! injection.language "javascript"))

((style_element (raw_text) @injection.content)
 (#set! injection.language "css"))

((_
  (start_tag
   (attribute
    (attribute_name) @_name
    (quoted_attribute_value (attribute_value) @injection.language)))
  (raw_text) @injection.content)
 (#eq? @_name "lang"))

((raw_text_expr) @injection.content
 (#set! injection.language "javascript"))
