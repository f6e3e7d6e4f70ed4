#!/bin/bash
# check/run.sh NAME PACK: writes test/fixtures/reference/NAME.json from the pack's folder with numpy, then asks
# WebLLM in headless Chromium the same (compare.mjs). NAME is that of a file in shapes/. Needs `npm install`.
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
node "$check/compare.mjs" "$reference" "$pack" "$check/../built/$name.wasm"
