#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: nim 1.6.10 ends with an internal error: could not find env param for ...
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 nim c --compileOnly --hints:off --colors:off --nimcache:"$d/cache" "$f" > "$d/o" 2>&1 && exit 1
grep -q 'Error: internal error: could not find env param for ' "$d/o"
