#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: js-yaml 3.2.4 throws a TypeError (reading 'length') in resolveYamlInteger, on the tag !!int without a value
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
here=$(cd "$(dirname "$0")" && pwd)
timeout -k 1 10 node "$here/load.js" "$T/js-yaml-3.2.4/node_modules/js-yaml" "$f" > "$d/o" 2>&1 && exit 1
grep -q "^TypeError: Cannot read properties of null (reading 'length')" "$d/o" &&
  grep -q 'resolveYamlInteger ' "$d/o"
