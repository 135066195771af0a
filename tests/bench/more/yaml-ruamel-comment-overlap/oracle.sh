#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: ruamel.yaml 0.17.21 ends with: NotImplementedError: overlap in comment
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/ruamel.yaml-0.17.21/bin/python" -B "$here/load.py" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^NotImplementedError: overlap in comment' "$d/o"
