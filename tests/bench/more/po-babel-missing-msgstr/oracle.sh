#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: Babel 2.9.1 ends with an IndexError in _add_message (a message without a translation)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 "$T/Babel-2.9.1/bin/python" -B "$here/read.py" "$f" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q '^IndexError: list index out of range' && grep -q 'pofile.py", line .* in _add_message$' "$d/o"
