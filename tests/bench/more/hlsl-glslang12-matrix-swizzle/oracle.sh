#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: glslang 12.0.0 accepts the shader but says: Missing functionality: matrix swizzle
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 glslangValidator -D -V -S frag -e main --auto-map-bindings -o "$d/out.spv" "$f" > "$d/o" 2>&1 || exit 1
grep -q '^Missing functionality: matrix swizzle$' "$d/o"
