#!/bin/bash
# check/run.sh NAME PACK: writes test/fixtures/reference/NAME.json from the pack's folder with numpy, which
# test/browser/model-library.test.ts then asks WebLLM. NAME is that of a file in shapes/.
set -euo pipefail

check=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$check/../../.." && pwd)
name=$1
pack=$(cd "$2" && pwd)
reference=$top/test/fixtures/reference/$name.json
venv=${CACHE:-$top/.cache/model-library}/check-venv

python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --no-deps --require-hashes -r "$check/requirements.txt"
(cd "$check/.." && "$venv/bin/python" -m check "shapes/$name.json" "$pack" "$reference")
