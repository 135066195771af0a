#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: toml 0.10.2 ends with: AttributeError: 'dict' object has no attribute 'append'
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 "$T/toml-0.10.2/bin/python" -c 'import sys, toml; toml.load(sys.argv[1])' "$f" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q "^AttributeError: 'dict' object has no attribute 'append'"
