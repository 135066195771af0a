#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: GNAT 12.2 prints its bug box: Program_Error sem_type.adb:837 explicit raise
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 10 gcc-12 -c -gnat2022 -o x.o "$f" > "$d/o" 2>&1 && exit 1
grep -q '^| 12[.0-9]* .* Program_Error sem_type.adb:837 explicit raise ' "$d/o"
