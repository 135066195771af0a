#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: jq 1.6 refuses a text nested deeper than its limit
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 20 jq . "$f" > "$d/o" 2>&1
grep -q 'Exceeds depth limit for parsing' "$d/o"
