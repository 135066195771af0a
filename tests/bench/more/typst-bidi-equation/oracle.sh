#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: typst 0.12.0 panics in its shaping: byte index ... is not a char boundary
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
cp "$f" "$d/c.typ" || exit 2
timeout -k 1 10 "$T/typst-0.12.0/bin/python" -B "$here/compile.py" "$d/c.typ" "$d/c.pdf" > "$d/o" 2>&1 && exit 1
grep -q '^thread .* panicked at .*/shaping.rs' "$d/o" && grep -q 'PanicException: byte index [0-9]* is not a char boundary' "$d/o"
