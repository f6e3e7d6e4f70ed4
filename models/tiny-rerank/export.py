"""Writes the trained model as a snapshot folder like those of the hub.

usage: PYTHONPATH=../training python export.py TRAINED_DIR
"""

import random
import sys
from pathlib import Path

import hub_files
from groups import draw_group

MODELS = Path(__file__).resolve().parents[1]
SNAPSHOT = MODELS.parent / ".cache" / "tiny-rerank" / "snapshot"
# The pack has the same files, and a manifest.
PACK = MODELS / "packs" / "tiny-rerank"
LABELS = {"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}


def main() -> None:
    trained = Path(sys.argv[1])
    hub_files.write(trained, SNAPSHOT, {"config.json": {**hub_files.config("BertForSequenceClassification"), **LABELS}})
    rng = random.Random(1)
    pairs = [pair for _ in range(40) for pair in draw_group(rng, 5, held=True).pairs]
    hub_files.check(trained, SNAPSHOT, pairs)


if __name__ == "__main__":
    main()
