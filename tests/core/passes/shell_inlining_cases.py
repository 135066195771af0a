"""What `inline` makes of the shell's functions, loops and arrays, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
SHELL_CASES = {
    "shell: arguments by their places": (
        "shellscript",
        b'f() { local a=$1; echo "$a: ${2}"; }\nf 6 "x y"\n',
        b'local a=6; echo "$a: x y"',
    ),
    "shell: a function whose output is read, with an argument": (
        "shellscript",
        b'f() { echo "<$1>"; }\ng "[$(f 7)]"\n',
        b'g "[$(echo "<7>")]"',
    ),
    "shell: a loop over words": (
        "shellscript",
        b'for x in 6 "a b"; do f "$x." ${x}; done\n',
        b'f "a b." "a b"',
    ),
    "shell: what is appended to an array": (
        "shellscript",
        b'a=()\na+=(7 8)\nf "${#a[@]} ${a[@]}"\n',
        b'a=(7 8)\nf "${#a[@]} ${a[@]}"',
    ),
    "PHP: a value in a string": ("php", b'<?php $x = "ab"; f("-$x-");\n', b'<?php f("-ab-");'),
}
