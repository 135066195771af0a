#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: ruby ends with: undefined method + for nil:NilClass (NoMethodError)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 5 ruby --disable-gems "$f" > "$d/o" 2> "$d/e" && exit 1
grep -q "undefined method .+' for nil:NilClass (NoMethodError)" "$d/e"
