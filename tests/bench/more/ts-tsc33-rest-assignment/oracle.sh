#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: tsc 3.3.3 throws a TypeError (reading 'kind') in getLiteralTypeFromPropertyName, on an assignment to a literal whose spread is not last
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 node "$T/typescript-3.3.3/node_modules/typescript/lib/tsc.js" --noLib --strict --target es2017 --outDir "$d/out" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading 'kind')" "$d/o" &&
  grep -q 'at getLiteralTypeFromPropertyName ' "$d/o"
