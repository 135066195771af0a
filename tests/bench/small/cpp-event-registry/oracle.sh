#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: the program ends with what(): map::at
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 20 g++ -w -o prog "$f" > o 2>&1 && timeout -k 1 10 ./prog > o 2>&1
grep -qF "what():  map::at" o
