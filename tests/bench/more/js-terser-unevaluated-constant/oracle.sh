#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: terser 4.1.3 throws a TypeError (reading '_walk'), compressing without evaluation
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/minify.js" "$T/terser-4.1.3/node_modules/terser" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of null (reading '_walk')" "$d/o" &&
  grep -q 'at AST_Binary.<anonymous> ' "$d/o"
