#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: duckdb 0.9.2 says: INTERNAL Error: Failed to bind column reference position (a filter on what is unnested)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
cd "$d" || exit 2
timeout -k 1 10 "$T/duckdb-0.9.2/bin/python" -B "$here/run.py" "$f" > "$d/o" 2>&1 && exit 1
grep -q 'INTERNAL Error: Failed to bind column reference "position"' "$d/o"
