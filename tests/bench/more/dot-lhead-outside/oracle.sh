#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: dot 2.43 warns that an edge's head is not inside its head cluster, and fails in nothing else
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 dot -Tplain -o "$d/out" "$f" > "$d/o" 2>&1 || exit 1
grep -q 'head not inside head cluster' "$d/o" || exit 1
! grep -q 'syntax error' "$d/o"
