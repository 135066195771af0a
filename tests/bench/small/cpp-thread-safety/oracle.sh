#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: clang 14 warns: writing a variable requires holding a mutex
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 20 clang++-14 -fsyntax-only -Wthread-safety "$f" > o 2>&1
grep -q "writing variable .* requires holding mutex" o
