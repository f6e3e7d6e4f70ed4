#!/bin/bash
# Says the phrases, trains slashv1/tiny-hear from the beginning, writes its pack and measures it; see README.md.
set -euo pipefail
cd "$(dirname "$0")"
source ../training/environment.sh
export OPENBLAS_NUM_THREADS=1 # its waiting threads take time from XLA's
work=$cache/tiny-hear
espeak-ng --version || { echo "Install espeak-ng (Debian: apt-get install espeak-ng)." >&2; exit 1; }

(cd ../.. && npx node -e "import('./src/node/pack/kokoro-pack.ts').then((pack) => pack.ensureKokoroPack('.cache'))")
"$python" record.py "$work/speech" espeak train 8000 1
for seed in 1 2 3 4; do "$python" record.py "$work/speech" kokoro train 400 "$seed"; done
for split in voices orders both; do
  "$python" record.py "$work/speech" espeak "$split" 200 1
  "$python" record.py "$work/speech" kokoro "$split" 100 1
done
"$python" held_out.py "$work/speech" "$work/held-out"

for stage in 1 2 3 4 5 6; do "$python" train.py "$work/speech" "$work/trained" "$stage"; done
"$python" export.py "$work/trained" "$work/snapshot" # where `pack` finds it
pack tiny-hear
npx node evaluate.mjs "$(realpath ../packs/tiny-hear)/" "$work/held-out" "$PWD/report.json"
npx node cases.mjs "$work/held-out"
