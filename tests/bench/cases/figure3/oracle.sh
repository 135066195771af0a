#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: it compiles with `gcc -w` and prints Hello world!
d=$(mktemp -d) || exit 2
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
gcc -w -o "$d/hello" "$1" > "$d/log" 2>&1 || exit 1
timeout -k 1 5 "$d/hello" < "$d/log" 2>&1 | grep -q 'Hello world!'
