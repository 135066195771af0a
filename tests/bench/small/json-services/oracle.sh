#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: a program finds services that depend on each other in a circle
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
timeout -k 1 10 python3 - "$f" > o 2>&1 << 'END'
import json
import sys

services = json.load(open(sys.argv[1]))["services"]


def visit(name, path):
    if name in path:
        sys.exit("dependency cycle")
    for needed in services[name].get("depends_on", []):
        visit(needed, [*path, name])


for name in services:
    visit(name, [])
END
grep -qx 'dependency cycle' o
