#!/bin/bash
# pack.sh [TONGUE [TRAINED_DIR]]: writes the pack of slashv1/tiny-chat, models/packs/tiny-chat, from the committed
# weights, or that of tiny-chat in another tongue from what train.sh trained. Needs python3 with venv and the packages of
# `npm ci`. The GGUF file is made from the pack's weights, so these are packed first.
set -euo pipefail
cd "$(dirname "$0")/../.."
tongue=${1:-hermes}
name=tiny-chat type=F32
[ "$tongue" = hermes ] || name=tiny-chat-$tongue type=F16
trained=${2:-models/tiny-chat/trained}
cache=.cache/$name
gguf=$cache/$name-$type.gguf

pack() { npx node src/node/cli.ts pack "$cache/snapshot" --model "models/$name.json" "$@"; }

python3 models/tiny-chat/export.py "$trained" "$cache/snapshot" "$tongue"
pack --out "$cache/weights"
python3 -m venv "$cache/gguf-venv"
"$cache/gguf-venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
  -r models/tiny-chat/requirements-gguf.txt
PYTHONPATH=models/library "$cache/gguf-venv/bin/python" models/tiny-chat/export_gguf.py "$cache/weights" "$gguf" "$tongue"
pack --gguf "$gguf" --out "models/packs/$name"
# All have the same shape, so the kernels are committed once.
[ "$tongue" = hermes ] || ln -sf ../tiny-chat/model.wasm "models/packs/$name/model.wasm"
