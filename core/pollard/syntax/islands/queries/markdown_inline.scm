; Single tags (`<b>`) are no islands: each by itself is half an element.
((latex_block) @injection.content
 (#set! injection.language "latex"))
