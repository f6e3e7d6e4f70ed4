#!/bin/bash
# pack.sh: writes the pack of slashv1/tiny-chat, models/packs/tiny-chat, from the committed weights. Needs python3 with
# venv and the packages of `npm ci`. The GGUF file is made from the pack's weights, so these are packed first.
set -euo pipefail
cd "$(dirname "$0")/../.."
cache=.cache/tiny-chat
gguf=$cache/tiny-chat-F32.gguf

pack() { npx node src/node/cli.ts pack "$cache/snapshot" --model models/tiny-chat.json "$@"; }

python3 models/tiny-chat/export.py
pack --out "$cache/weights"
python3 -m venv "$cache/gguf-venv"
"$cache/gguf-venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes \
  -r models/tiny-chat/requirements-gguf.txt
PYTHONPATH=models/library "$cache/gguf-venv/bin/python" models/tiny-chat/export_gguf.py "$cache/weights" "$gguf"
pack --gguf "$gguf" --out models/packs/tiny-chat
