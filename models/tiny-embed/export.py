"""Writes the trained model as a snapshot folder like those of the hub, with the files of sentence-transformers.

usage: PYTHONPATH=../training python export.py TRAINED_DIR
"""

import random
import sys
from pathlib import Path

import bert
import hub_files
from facts import DOCUMENT_PROMPT, QUERY_PROMPT, draw_fact, draw_passage

MODELS = Path(__file__).resolve().parents[1]
SNAPSHOT = MODELS.parent / ".cache" / "tiny-embed" / "snapshot"
# The pack has the same files, and a manifest.
PACK = MODELS / "packs" / "tiny-embed"
DIMENSIONS = (32, 64, 128)

MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
POOLING = {
    "word_embedding_dimension": bert.SHAPE.hidden,
    "pooling_mode_cls_token": False,
    "pooling_mode_mean_tokens": True,
    "pooling_mode_max_tokens": False,
    "pooling_mode_mean_sqrt_len_tokens": False,
    "pooling_mode_weightedmean_tokens": False,
    "pooling_mode_lasttoken": False,
    "include_prompt": True,
}
SENTENCE_TRANSFORMERS = {
    "prompts": {"query": QUERY_PROMPT, "document": DOCUMENT_PROMPT},
    "default_prompt_name": None,
    "similarity_fn_name": "cosine",
}


def main() -> None:
    trained = Path(sys.argv[1])
    documents = {
        "config.json": {**hub_files.config("BertModel"), "matryoshka_dimensions": list(DIMENSIONS)},
        "modules.json": MODULES,
        "1_Pooling/config.json": POOLING,
        "sentence_bert_config.json": {"max_seq_length": bert.SHAPE.positions, "do_lower_case": False},
        "config_sentence_transformers.json": SENTENCE_TRANSFORMERS,
    }
    hub_files.write(trained, SNAPSHOT, documents)
    rng = random.Random(1)
    hub_files.check(trained, SNAPSHOT, [draw_passage(rng, draw_fact(rng, held=True)) for _ in range(200)])


if __name__ == "__main__":
    main()
