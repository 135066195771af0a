#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: groff 1.22 warns of a macro that is not defined
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 20 groff -man -Tutf8 -ww "$f" > "$d/out" 2> "$d/o"
grep -q 'warning: macro .Larch. not defined' "$d/o"
