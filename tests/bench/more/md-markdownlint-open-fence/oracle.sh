#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: markdownlint 0.21.0 throws a TypeError in its rule MD031, on a fence that is not closed in its list item
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/lint.js" "$T/markdownlint-0.21.0/node_modules/markdownlint" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^TypeError: object null is not iterable' "$d/o" &&
  grep -q 'at .*/lib/md031.js:24:' "$d/o"
