#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: pyflakes 2.1.0 ends with: AttributeError: 'Checker' object has no attribute 'NAMEDEXPR'
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 "$T/pyflakes-2.1.0/bin/python" -m pyflakes "$f" > "$d/o" 2>&1
tail -n 1 "$d/o" | grep -q "^AttributeError: 'Checker' object has no attribute 'NAMEDEXPR'"
