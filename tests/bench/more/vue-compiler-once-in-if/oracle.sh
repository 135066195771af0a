#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: @vue/compiler-sfc 3.2.47 throws a TypeError (reading '2') in injectProp, on v-once inside a template with v-if
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/compile.js" "$T/compiler-sfc-3.2.47/node_modules/@vue/compiler-sfc" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading '2')" "$d/o" &&
  grep -q 'at injectProp ' "$d/o"
