#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: polars 0.19.3 panics in its CSV reader: byte index ... is not a char boundary
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
export POLARS_MAX_THREADS=1
timeout -k 1 10 "$T/polars-0.19.3/bin/python" -B "$here/read.py" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^thread .* panicked at .*/csv/' "$d/o" && grep -q 'PanicException: byte index [0-9]* is not a char boundary' "$d/o"
