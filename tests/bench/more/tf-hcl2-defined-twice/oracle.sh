#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: python-hcl2 4.3.0 says: tags already defined (a name twice in a block), and finds no error in the syntax
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/python-hcl2-4.3.0/bin/python" -B "$here/load.py" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^RuntimeError: tags already defined' "$d/o" && grep -q 'VisitError: Error trying to process rule "body"' "$d/o"
