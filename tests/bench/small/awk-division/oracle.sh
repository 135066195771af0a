#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: gawk divides by zero
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
printf 'north,tea,3\nsouth,pot,200\n' > in
timeout -k 1 5 gawk -f "$f" in > o 2>&1
grep -q 'division by zero' o
