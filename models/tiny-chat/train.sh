#!/bin/bash
# Trains slashv1/tiny-chat from the beginning and measures it. With the name of a tongue, e.g. `train.sh channels`, trains
# the committed weights further in that tongue and writes its pack. Needs Python 3.11 or newer; see README.md.
set -euo pipefail
cd "$(dirname "$0")"
tongue=${1:-hermes}
cache=$(realpath -m ../../.cache)
venv=$cache/venv-tiny-chat
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt
export PYTHONPATH=../training

if [ "$tongue" = hermes ]; then
  "$venv/bin/python" train.py "$cache/tiny-chat/run"
  mkdir -p trained
  cp "$cache/tiny-chat/run/model.safetensors" "$cache/tiny-chat/run/tokenizer.json" trained/
  "$venv/bin/python" evaluate.py trained --write
  "$venv/bin/python" export.py
else
  run=$cache/tiny-chat-$tongue/run
  "$venv/bin/python" train.py "$run" --from trained --tongue "$tongue"
  ./pack.sh "$tongue" "$run"
  if [ "$tongue" = decide ]; then
    "$venv/bin/python" held_out_decisions.py
    ./calibrate.sh
    ./pack.sh "$tongue" "$run"
  else
    "$venv/bin/python" evaluate.py "$run" --tongue "$tongue" --count 12
    npx node measure-tongue.ts "$tongue"
  fi
fi
