#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: ghdl 2.0.0 --std=08 raises TYPES.INTERNAL_ERROR in vhdl-evaluation.adb:2230
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 ghdl -a --std=08 --workdir="$d" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^raised TYPES.INTERNAL_ERROR : vhdl-evaluation.adb:2230$' "$d/o"
