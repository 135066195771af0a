#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: rdflib 6.1.1 ends with: AttributeError: 'NotBoundError' object has no attribute 'datatype' (CONCAT of what is not bound)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/rdflib-6.1.1/bin/python" -B "$here/query.py" "$f" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q "^AttributeError: 'NotBoundError' object has no attribute 'datatype'"
