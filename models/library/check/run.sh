#!/bin/bash
# check/run.sh NAME PACK: computes with numpy what the model in the folder PACK answers, and writes it to
# test/fixtures/reference/NAME.json. test/browser/engines/model-library.test.ts compares WebLLM with that file.
# NAME is the name of a file in shapes/.
set -euo pipefail

check=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$check/../../.." && pwd)
name=$1
pack=$(cd "$2" && pwd)
reference=$top/test/fixtures/reference/$name.json
venv=${CACHE:-$top/.cache/model-library}/check-venv

python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-deps --require-hashes -r "$check/requirements.txt"
module=check
if [ "$name" = tiny-look ]; then module=check.seeing; fi
(cd "$check/.." && "$venv/bin/python" -m "$module" "shapes/$name.json" "$pack" "$reference")
