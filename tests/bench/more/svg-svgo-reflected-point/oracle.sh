#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: svgo 3.3.2 throws a TypeError (reading '0') in reflectPoint, on a path with an empty line between curves
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/optimize.js" "$T/svgo-3.3.2/node_modules/svgo" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading '0')" "$d/o" &&
  grep -q 'at reflectPoint (.*/convertPathData.js:1160:' "$d/o"
