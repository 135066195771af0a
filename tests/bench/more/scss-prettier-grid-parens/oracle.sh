#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: prettier 1.15.1 throws a TypeError (reading 'start') in its printer of style sheets, on parentheses in the columns of a grid
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 node "$T/prettier-1.15.1/node_modules/prettier/bin-prettier.js" --no-config --parser scss "$f" > "$d/o" 2>&1 && exit 1
grep -q "TypeError: Cannot read properties of undefined (reading 'start')" "$d/o" &&
  grep -q 'print\] (.*/bin-prettier.js:29235:62)' "$d/o"
