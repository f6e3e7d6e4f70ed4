#!/bin/bash
# Trains slashv1/tiny-see from the beginning, writes its GGUF files and measures them; see README.md.
set -euo pipefail
cd "$(dirname "$0")"
source ../training/environment.sh
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r ../tiny-chat/requirements-gguf.txt
export PYTHONPATH=../training:../tiny-chat:../library
export OPENBLAS_NUM_THREADS=1 # its waiting threads take time from XLA's
work=$cache/tiny-see
pack=../packs/tiny-see

./look.sh "$work/look"
for stage in 1 2; do "$python" train.py "$work/trained" "$stage"; done
"$python" export.py "$work/trained" "$pack"
"$python" compare.py "$work/look" "$pack" "$work/trained"
"$python" evaluate.py "$work/look" "$pack" 200 --write
"$python" cases.py "$work/look" "$pack"
