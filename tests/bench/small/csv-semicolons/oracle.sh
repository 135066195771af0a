#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: the rows have all fields, and an amount is the text n/a
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cd "$d" || exit 2
python=python3
timeout -k 1 10 "$python" - "$f" > o 2>&1 <<'PROGRAM'
import csv
import sys

with open(sys.argv[1], newline="") as stream:
    for row in csv.DictReader(stream, delimiter=";"):
        assert None not in row and None not in row.values()
        float(row["amount"].replace(",", "."))
PROGRAM
grep -q "ValueError: could not convert string to float: 'n/a'" o
