#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: php ends with: TypeError: Cannot assign float to property ... of type int
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 5 php -n -d display_errors=stderr "$f" > "$d/o" 2> "$d/e" && exit 1
grep -q 'Uncaught TypeError: Cannot assign float to property .* of type int ' "$d/e"
