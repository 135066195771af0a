#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: ruby misses the method <= of nil; the output is ruby's
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 10 ruby "$f" > o 2>&1
cat o
grep -qF "undefined method \`<=' for nil" o
