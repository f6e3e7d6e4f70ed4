#!/bin/bash
# Trains slashv1/tiny-embed from the beginning, writes its pack and measures it; see README.md.
set -euo pipefail
cd "$(dirname "$0")"
source ../training/environment.sh

"$python" train.py "$cache/tiny-embed"
"$python" export.py "$cache/tiny-embed"
pack tiny-embed
"$python" evaluate.py --write
