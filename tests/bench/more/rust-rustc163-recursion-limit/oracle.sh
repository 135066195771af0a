#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: rustc 1.63 finds E0275 (overflow evaluating the requirement) alone, through impls of std::io::Write
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 /usr/bin/rustc --edition 2021 --color never --cap-lints allow --emit=obj -o "$d/out.o" "$f" > "$d/o" 2>&1 && exit 1
grep -q '^error\[E0275\]: overflow evaluating the requirement ' "$d/o" || exit 1
grep -q 'required because of the requirements on the impl of `std::io::Write` for ' "$d/o" || exit 1
[ "$(grep -c '^error' "$d/o")" = 2 ]
