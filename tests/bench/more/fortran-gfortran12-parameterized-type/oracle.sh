#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: gfortran 12.2 (f951) ends with a segmentation fault, without an error in the program
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 gfortran-12 -fsyntax-only -J "$d" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^f951: internal compiler error: Segmentation fault' "$d/o" || exit 1
! grep -q '^Error:\|^Fatal Error:' "$d/o"
