#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: svelte 3.58.0 throws a TypeError (reading 'index') in get_slot_definition, on let: with a renamed key
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/compile.js" "$T/svelte-3.58.0/node_modules/svelte/compiler.js" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading 'index')" "$d/o" &&
  grep -q 'at get_slot_definition ' "$d/o"
