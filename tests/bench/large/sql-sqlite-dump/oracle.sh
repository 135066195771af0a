#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: SQLite loads the dump without an error and prints a loan without a book
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 20 sqlite3 -batch -bail :memory: < "$f" > "$d/o" 2> "$d/e" || exit 1
grep -q '^lost[|]' "$d/o" && [ ! -s "$d/e" ]
