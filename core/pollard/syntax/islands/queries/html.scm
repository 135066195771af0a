; The type says what a script is; without one, and for every kind of JavaScript, it is JavaScript.
((script_element (raw_text) @injection.content)
 (#set! injection.language "javascript"))

((script_element
  (start_tag
   (attribute
    (attribute_name) @_name
    [(attribute_value) @_type (quoted_attribute_value (attribute_value) @_type)]))
  (raw_text) @injection.content)
 (#match? @_name "^(?i:type)$")
 (#not-match? @_type "(?i)(java|ecma|jsx|babel|module)")
 (#set! injection.language "plaintext"))

((script_element
  (start_tag
   (attribute
    (attribute_name) @_name
    [(attribute_value) @_type (quoted_attribute_value (attribute_value) @_type)]))
  (raw_text) @injection.content)
 (#match? @_name "^(?i:type)$")
 (#match? @_type "(?i)(json|importmap|speculationrules)")
 (#set! injection.language "json"))

((script_element
  (start_tag
   (attribute
    (attribute_name) @_name
    [(attribute_value) @_type (quoted_attribute_value (attribute_value) @_type)]))
  (raw_text) @injection.content)
 (#match? @_name "^(?i:type)$")
 (#match? @_type "(?i)typescript")
 (#set! injection.language "typescript"))

((style_element (raw_text) @injection.content)
 (#set! injection.language "css"))

((attribute
  (attribute_name) @_name
  [(attribute_value) @injection.content (quoted_attribute_value (attribute_value) @injection.content)])
 (#match? @_name "^(?i:on[a-z]+)$")
 (#set! injection.language "javascript"))

; The grammar of CSS reads declarations without a rule only if each ends with a semicolon.
((attribute
  (attribute_name) @_name
  (quoted_attribute_value (attribute_value) @injection.content))
 (#match? @_name "^(?i:style)$")
 (#match? @injection.content ";[ \t\r\n]*$")
 (#set! injection.language "css"))
