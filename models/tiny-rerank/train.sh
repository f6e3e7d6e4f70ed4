#!/bin/bash
# Trains slashv1/tiny-rerank, writes its pack and measures it. It begins with the weights that
# models/tiny-embed/train.sh wrote; see README.md.
set -euo pipefail
cd "$(dirname "$0")"
source ../training/environment.sh

"$python" train.py "$cache/tiny-embed" "$cache/tiny-rerank"
"$python" export.py "$cache/tiny-rerank"
pack tiny-rerank
"$python" evaluate.py --write
