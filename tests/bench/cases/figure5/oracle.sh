#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: it compiles and, given `hu`, ends with an uncaught exception
d=$(mktemp -d) || exit 2
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$1" "$d/LocalizedPi.java" && cd "$d" || exit 2
# Only to be quick: no annotation processing, no second compiler.
javac -proc:none LocalizedPi.java > log 2>&1 || exit 1
timeout -k 1 20 java -XX:TieredStopAtLevel=1 -cp . LocalizedPi hu > log 2>&1 && exit 1
grep -q 'Exception in thread "main"' log
