#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: minify-html 0.16.4 panics: assertion failed: cons_expr.returns && alt_expr.returns
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/minify-html-0.16.4/bin/python" -B "$here/minify.py" "$f" > "$d/o" 2>&1 && exit 1
grep -q 'PanicException: assertion failed: cons_expr.returns && alt_expr.returns' "$d/o"
