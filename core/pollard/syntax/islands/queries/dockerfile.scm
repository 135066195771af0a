((shell_command) @injection.content
 (#set! injection.language "shellscript")
 (#set! injection.include-children))
