#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: erlc 25.2.3 fails its own consistency check: bad_type, a tuple needed, anything there
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
ERL_CRASH_DUMP_BYTES=0 timeout -k 1 10 erlc -o "$d" "$f" > "$d/o" 2>&1 && exit 1
grep -q 'Internal consistency check failed' "$d/o" || exit 1
tr -d ' \n' < "$d/o" | grep -q 'Error:{bad_type,{needed,{t_tuple,[0-9]*,false,#{}}},{actual,any}}'
