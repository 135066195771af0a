#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: solc 0.8.6 fails an assertion on converting types, in CompilerUtils.cpp:1135 (using for a library with calldata)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/compile.js" "$T/solc-0.8.6/node_modules/solc" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^InternalCompilerError: Internal compiler error (.*/CompilerUtils.cpp:1135)' "$d/o"
