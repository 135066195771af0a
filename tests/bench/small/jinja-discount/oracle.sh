#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: Jinja 3.1.2 subtracts a string from a number
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
python=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}/jinja2-3.1.2/bin/python
cd "$d" || exit 2
timeout -k 1 10 "$python" - "$f" > o 2>&1 <<'PROGRAM'
import datetime
import sys
from pathlib import Path

import jinja2

order = {"day": "2024-05-01", "title": "tea", "price": 3.5}
orders = [order, {**order, "price": 0}]
customer = {"name": "ann", "orders": orders, "discount": {"rate": "5"}}
environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
template = environment.from_string(Path(sys.argv[1]).read_text())
print(template.render(customer=customer, deadline=datetime.date(2024, 6, 1)))
PROGRAM
grep -qF "unsupported operand type(s) for -: 'int' and 'str'" o
