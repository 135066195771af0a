#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: clang 14.0.6 segfaults in Sema::SubstStmt while it instantiates a function, after no error in the program
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 clang++-14 -std=c++20 -fsyntax-only -fno-crash-diagnostics -fno-color-diagnostics "$f" > "$d/o" 2>&1 && exit 1
grep -q '^clang: error: clang frontend command failed with exit code 139' "$d/o" || exit 1
grep -q '^[0-9]*\.	.*: instantiating function definition ' "$d/o" || exit 1
grep -q '^ *#[0-9]* 0x[0-9a-f]* clang::Sema::SubstStmt(' "$d/o" || exit 1
! grep -q '^[^ ]*:[0-9]*:[0-9]*: \(fatal \)\?error: ' "$d/o"
