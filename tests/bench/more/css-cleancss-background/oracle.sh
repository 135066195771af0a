#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: clean-css 4.1.0 throws a TypeError (reading '2' or the like) in its list of background layers
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/minify.js" "$T/clean-css-4.1.0/node_modules/clean-css" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading '[0-9]')" "$d/o"
