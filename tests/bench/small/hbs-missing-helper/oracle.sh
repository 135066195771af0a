#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: Handlebars 4.7.8 misses the helper 'currency'
f=$(realpath "$1") || exit 2
[ -f "$f" ] || exit 2
ulimit -c 0
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
modules=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}/handlebars-4.7.8/node_modules
cd "$d" || exit 2
export NODE_PATH="$modules"
timeout -k 1 10 node - "$f" > o 2>&1 <<'PROGRAM'
const fs = require("fs");
const handlebars = require("handlebars");
const options = [{ label: "green", price: 3 }];
const items = [{ name: "tea", options }];
const order = { paid: true, title: "x", customer: { name: "Ann", city: "Rome" }, items, note: "<p>" };
console.log(handlebars.compile(fs.readFileSync(process.argv[2], "utf8"))({ order }));
PROGRAM
grep -q 'Missing helper: "currency"' o
