#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: Graphviz warns of a port that a node does not have
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 20 dot -Tcanon "$f" > "$d/out" 2> "$d/o" || exit 1
grep -q 'port .* unrecognized' "$d/o" && ! grep -q 'syntax error' "$d/o"
