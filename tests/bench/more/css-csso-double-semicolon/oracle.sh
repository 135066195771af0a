#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: csso 3.5.0 throws a TypeError in getPropertyFingerprint, on a second semicolon
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/minify.js" "$T/csso-3.5.0/node_modules/csso" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading '0')" "$d/o" &&
  grep -q 'at getPropertyFingerprint ' "$d/o"
