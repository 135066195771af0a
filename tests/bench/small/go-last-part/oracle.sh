#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: the program panics: index out of range [-1]
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
cp "$f" input.go
export GOFLAGS=-mod=mod GO111MODULE=off
timeout -k 1 30 go build -o prog input.go > log 2>&1 || exit 1
timeout -k 1 10 ./prog > o 2>&1
grep -qF 'index out of range [-1]' o
