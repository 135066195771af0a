#!/bin/sh
# usage: oracle.sh CANDIDATE   exit 0 iff: docutils 0.18 ends with: IndexError: pop from empty list, in its translation of a formula to MathML
f=$1
[ -f "$f" ] || exit 2
ulimit -c 0
T=${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}
d=$(mktemp -d) || exit 2
export TMPDIR="$d"
trap 'rm -rf "$d"' EXIT
trap 'exit 2' HUP INT TERM
timeout -k 1 10 "$T/docutils-0.18/bin/python" -B "$T/docutils-0.18/bin/rst2html5.py" --traceback --quiet \
  --no-raw --no-file-insertion --math-output=MathML "$f" "$d/out.html" > "$d/o" 2>&1 && exit 1
tail -n 1 "$d/o" | grep -q '^IndexError: pop from empty list' && grep -q 'latex2mathml.py", line .* in handle_script_or_limit$' "$d/o"
