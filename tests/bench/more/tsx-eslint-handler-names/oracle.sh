#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: eslint-plugin-react 7.21.0 throws a TypeError (reading 'object') in its rule jsx-handler-names, on an inline handler that calls nothing
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/lint.js" "$T/eslint-plugin-react-7.21.0" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of undefined (reading 'object')" "$d/o" &&
  grep -q 'at JSXAttribute (.*/rules/jsx-handler-names.js:112:52)' "$d/o"
