#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: LLVM 14's back end for x86-64 cannot select a store that rounds to bf16
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 clang-14 -x ir -O0 -S -target x86_64-pc-linux-gnu -w -fno-crash-diagnostics -o "$d/out.s" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^fatal error: error in backend: Cannot select: .* = store<.*, trunc to bf16>' "$d/o"
