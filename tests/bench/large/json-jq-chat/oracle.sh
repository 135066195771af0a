#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: jq 1.6 (PyPI jq 1.3.0) aborts in implode on a code point that is a string
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 "$T/jq-1.3.0/bin/python" -c 'import jq, sys
jq.compile(".messages[].reactions[]?.codepoints | implode").input(text=open(sys.argv[1], encoding="utf-8").read()).all()' "$f" > "$d/o" 2>&1
grep -q 'jv_string_implode: Assertion .* failed' "$d/o"
