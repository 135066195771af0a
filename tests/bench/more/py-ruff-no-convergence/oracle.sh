#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: ruff 0.0.260 --fix fails to converge: its fixes undo one another
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$f" "$d/c.py" || exit 2
timeout -k 1 10 "$T/ruff-0.0.260/bin/ruff" --isolated --no-cache --select ALL --fix "$d/c.py" > "$d/o" 2>&1
grep -q 'Failed to converge after' "$d/o"
