#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: @astrojs/compiler 1.5.1 panics in inBodyIM: index out of range, where a component comes before <html>
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/compile.mjs" "$T/compiler-1.5.1/node_modules/@astrojs/compiler/dist/node/index.js" "$f" > "$d/o" 2>&1 && exit 1
grep -q "runtime error: index out of range \[0\] with length 0" "$d/o" &&
  grep -q 'internal.inBodyIM(' "$d/o"
