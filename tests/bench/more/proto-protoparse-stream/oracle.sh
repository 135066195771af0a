#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: proto-parse 0.0.5 throws a TypeError: Cannot create property 'stream' on a string, on an rpc that streams
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/parse.js" "$T/proto-parse-0.0.5/node_modules/proto-parse" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot create property 'stream' on string" "$d/o"
