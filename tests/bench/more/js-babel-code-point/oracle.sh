#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: @babel/parser 7.9.0 throws a RangeError out of readEscapedChar while it recovers from errors: Invalid code point
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/parse.js" "$T/parser-7.9.0/node_modules/@babel/parser" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^RangeError: Invalid code point ' "$d/o" &&
  grep -q 'at Parser.readEscapedChar ' "$d/o"
