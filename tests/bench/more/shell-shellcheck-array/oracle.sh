#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: shellcheck 0.9.0 finds SC2128 (an array expanded without an index) and no error
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 shellcheck --norc -s bash -f gcc "$f" > "$d/o" 2> "$d/e"
grep -q 'SC2128' "$d/o" && ! grep -q ': error: ' "$d/o"
