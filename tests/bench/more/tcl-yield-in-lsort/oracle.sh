#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: tclsh 8.6 ends with: cannot yield: C stack busy (in the command of an lsort)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 5 tclsh8.6 "$f" > "$d/o" 2> "$d/e" && exit 1
head -n 1 "$d/e" | grep -q '^cannot yield: C stack busy$' || exit 1
grep -q '^    (-compare command)$' "$d/e"
