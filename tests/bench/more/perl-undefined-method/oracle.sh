#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: perl dies with: Can't call method "count" on an undefined value
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 5 perl "$f" > "$d/o" 2> "$d/e" && exit 1
grep -q '^Can.t call method "count" on an undefined value at ' "$d/e"
