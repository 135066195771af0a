#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: katex 0.16.10 fails an assertion in place of showing an error: expected a node of type textord, but got color (a command as an environment's name)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 node "$T/katex-0.16.10/node_modules/katex/cli.js" --display-mode --no-throw-on-error -i "$f" -o "$d/out.html" > "$d/o" 2>&1 && exit 1
grep -q '^Error: Expected node of type textord, but got node of type color$' "$d/o"
