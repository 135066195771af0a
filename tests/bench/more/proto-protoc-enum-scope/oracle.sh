#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: protoc of grpcio-tools 1.51.1 finds nothing but: "STRING" is already defined (a value of two enums in one scope)
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
cp "$f" "$d/c.proto" && cd "$d" || exit 2
timeout -k 1 10 "$T/grpcio-tools-1.51.1/bin/python" -B -m grpc_tools.protoc -I. --descriptor_set_out=out c.proto > o 2>&1 && exit 1
grep -q '^c\.proto:.*"STRING" is already defined in ' o || exit 1
grep -q 'Note that enum values use C++ scoping rules.* "STRING" must be unique' o || exit 1
! grep '^c\.proto:' o | grep -v 'warning:' | grep -qv 'STRING'
