#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: f2py of NumPy 1.26.0 ends with a KeyError in analyzeline (DATA for a name whose type is implicit)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$f" "$d/c.f90" && cd "$d" || exit 2
timeout -k 1 10 "$T/numpy-1.26.0/bin/python" -B -m numpy.f2py -h "$d/c.pyf" c.f90 > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q "^KeyError: '" && grep -qF "vtype = vars[v].get('typespec')" "$d/o"
