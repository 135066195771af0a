#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: lessc 4.1.1 fails on its own with: genCSS is not a function (each over a ruleset that holds rules)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 node "$T/less-4.1.1/node_modules/less/bin/lessc" --no-color "$f" "$d/out.css" > "$d/o" 2>&1 && exit 1
grep -q 'genCSS is not a function' "$d/o"
