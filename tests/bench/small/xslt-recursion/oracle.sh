#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: the style sheet ends with its own message, cannot go on at, and has no syntax error
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
printf '%s' '<shop><order id="1" tags="new,cheap,stop"><item price="3">tea</item></order></shop>' > in.xml
timeout -k 1 10 xsltproc "$f" in.xml > o 2>&1
grep -q 'cannot go on at' o && ! grep -q 'parser error\|compilation error' o
