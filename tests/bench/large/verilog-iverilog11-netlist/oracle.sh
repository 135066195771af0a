#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: iverilog 11.0 aborts on the assertion prefix_indices.size()+1 == ...packed_dims().size()
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 20 iverilog -g2012 -o "$d/out" "$f" > "$d/o" 2>&1 && exit 1
grep -q 'failed assertion prefix_indices.size()+1 == net->sig()->packed_dims().size()' "$d/o"
