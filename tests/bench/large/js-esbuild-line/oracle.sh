#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: esbuild 0.18.2 panics where it prints a static block without statements
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$f" "$d/in.js"
timeout -k 1 15 "$T/esbuild-0.18.2/node_modules/.bin/esbuild" --minify-syntax --bundle --packages=external --log-limit=0 --format=esm "$d/in.js" --outfile="$d/out.js" > "$d/o" 2>&1
grep -q 'panic: Internal error (while parsing' "$d/o"
