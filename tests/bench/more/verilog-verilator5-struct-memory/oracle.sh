#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: verilator 5.006 ends with an internal error: No VarRef or Const under ArraySel
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 verilator --lint-only -Wno-fatal -Wno-lint -Wno-style --Mdir "$d" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^%Error: Internal Error: .* \.\./V3Unknown.cpp:[0-9]*: No VarRef or Const under ArraySel' "$d/o"
