#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: pybtex 0.24.0 ends with: AttributeError: 'Style' object has no attribute 'format_patent'
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/pybtex-0.24.0/bin/python" -B "$here/format.py" "$f" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q "^AttributeError: 'Style' object has no attribute 'format_patent'"
