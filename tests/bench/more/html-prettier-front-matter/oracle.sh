#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: prettier 2.0.5 throws a TypeError (reading 'end') in hasLeadingLineBreak, on text behind a link after front matter
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 node "$T/prettier-2.0.5/node_modules/prettier/bin-prettier.js" --no-config --parser html "$f" > "$d/o" 2>&1 && exit 1
grep -q "TypeError: Cannot read properties of undefined (reading 'end')" "$d/o" &&
  grep -q 'at hasLeadingLineBreak ' "$d/o"
