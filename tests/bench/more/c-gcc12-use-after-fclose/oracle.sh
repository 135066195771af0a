#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: gcc 12.2 accepts the file and warns of -Wuse-after-free: used after fclose
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
LC_ALL=C timeout -k 1 10 gcc-12 -std=gnu11 -O0 -S -o "$d/out.s" -Wuse-after-free=2 "$f" > "$d/o" 2>&1 || exit 1
grep -q "warning: pointer .* used after 'fclose' \[-Wuse-after-free\]" "$d/o"
