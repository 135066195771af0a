#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: a program that follows $ref meets a minimum that is a text
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
import json
import sys


def resolve(node, root):
    while "$ref" in node:
        target = root
        for key in node["$ref"].removeprefix("#/").split("/"):
            target = target[key]
        node = target
    return node


def check(schema, root, depth=0):
    schema = resolve(schema, root)
    assert depth < 20
    if "minimum" in schema:
        0 < schema["minimum"]
    for inner in schema.get("properties", {}).values():
        check(inner, root, depth + 1)
    if "items" in schema:
        check(schema["items"], root, depth + 1)


with open(sys.argv[1]) as stream:
    api = json.load(stream)
for path in api["paths"].values():
    for operation in path.values():
        for response in operation["responses"].values():
            for content in response.get("content", {}).values():
                check(content["schema"], api)
PROGRAM
grep -q "TypeError: '<' not supported between instances of 'int' and 'str'" o
