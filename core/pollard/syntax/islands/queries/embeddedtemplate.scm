; The HTML around the directives is one text; each directive is a piece of Ruby by itself.
((content) @injection.content
 (#set! injection.language "html")
 (#set! injection.combined))

((code) @injection.content
 (#set! injection.language "ruby"))
