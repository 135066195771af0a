#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: cmake-lint 0.6.13 ends with an IndexError while it reports E1122 in add_custom_target
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 10 "$T/cmakelang-0.6.13/bin/python" -B -m cmakelang.lint "$f" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q '^IndexError: Replacement index 0 out of range' && grep -q 'in parse_add_custom_target$' "$d/o"
