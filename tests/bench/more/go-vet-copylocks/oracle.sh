#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: go vet 1.19 finds: return copies lock value, and no error in types or syntax
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
GO111MODULE=off GOFLAGS= timeout -k 1 10 go vet "$f" > "$d/o" 2>&1
grep -q 'return copies lock value: .* contains sync' "$d/o"
