((frontmatter (frontmatter_js_block) @injection.content)
 (#set! injection.language "typescript"))

((script_element (raw_text) @injection.content)
 (#set! injection.language "typescript"))

((style_element (raw_text) @injection.content)
 (#set! injection.language "css"))

((attribute_interpolation (attribute_js_expr) @injection.content)
 (#set! injection.language "typescriptreact"))
