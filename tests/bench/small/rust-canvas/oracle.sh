#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: the program panics: attempt to divide by zero
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 20 rustc -o prog "$f" 2>/dev/null || exit 1
timeout -k 1 10 ./prog > o 2>&1
grep -qF 'attempt to divide by zero' o
