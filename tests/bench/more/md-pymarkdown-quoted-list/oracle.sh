#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: pymarkdown 0.9.12 fails on an assertion in reduce_containers_if_required
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 "$T/pymarkdownlnt-0.9.12/bin/python" -B -m pymarkdown --stack-trace scan "$f" > "$d/o" 2>&1 && exit 1
grep -A 3 'in reduce_containers_if_required$' "$d/o" | grep -q '^AssertionError'
