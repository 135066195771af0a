#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: pyupgrade 2.18.0 ends with an IndexError in its plug-in for generator expressions (a call without arguments)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$f" "$d/c.py" || exit 2
timeout -k 1 10 "$T/pyupgrade-2.18.0/bin/python" -B -m pyupgrade "$d/c.py" > "$d/o" 2>&1
tail -n 1 "$d/o" | grep -q '^IndexError: list index out of range' && grep -q 'generator_expressions_pep289.py", line .* in visit_Call$' "$d/o"
