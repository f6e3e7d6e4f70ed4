"""Writes the trained model as a snapshot folder like those of the hub, which `slashv1 pack` reads.

usage: python export.py [TRAINED_DIR [SNAPSHOT_DIR [TONGUE]]]
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from corpus.tongues import HERMES, TONGUES, Tongue
from shape import END_ID, MARK_TOKENS, PAD_ID, SHAPE, SPECIAL_TOKENS, START_ID

HERE = Path(__file__).resolve().parent
TRAINED = HERE / "trained"
SNAPSHOT = HERE.parents[1] / ".cache" / "tiny-chat" / "snapshot"


def ends(tongue: Tongue) -> list[int]:
    """Ids of the tokens that end a turn."""
    names = [tongue.renamed.get(token, token) for token in (*SPECIAL_TOKENS, *MARK_TOKENS)]
    return [names.index(end) for end in tongue.ends]


def config(tongue: Tongue = HERMES) -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": SHAPE.hidden,
        "intermediate_size": SHAPE.ffn,
        "num_hidden_layers": SHAPE.layers,
        "num_attention_heads": SHAPE.heads,
        "num_key_value_heads": SHAPE.kv_heads,
        "head_dim": SHAPE.head_dim,
        "vocab_size": SHAPE.vocab,
        "max_position_embeddings": SHAPE.context,
        "rms_norm_eps": SHAPE.eps,
        "rope_theta": SHAPE.rope_theta,
        "rope_scaling": None,
        "hidden_act": "silu",
        "attention_bias": False,
        "mlp_bias": False,
        "tie_word_embeddings": True,
        "bos_token_id": START_ID,
        "eos_token_id": _one_or_all(ends(tongue)),
        "pad_token_id": PAD_ID,
        "torch_dtype": "float32",
    }


def _one_or_all(ids: list[int]) -> int | list[int]:
    return ids[0] if len(ids) == 1 else ids


def tokenizer_config(tongue: Tongue) -> dict[str, Any]:
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": SHAPE.context,
        "clean_up_tokenization_spaces": False,
        "bos_token": None,
        "eos_token": tongue.ends[0],
        "pad_token": SPECIAL_TOKENS[PAD_ID],
        "chat_template": tongue.template.read_text().rstrip("\n"),
    }


def generation_config(tongue: Tongue) -> dict[str, Any]:
    return {"bos_token_id": START_ID, "eos_token_id": _one_or_all(ends(tongue)), "pad_token_id": PAD_ID, "do_sample": False}


def export(trained: Path, snapshot: Path, tongue: Tongue) -> None:
    snapshot.mkdir(parents=True, exist_ok=True)
    for name in ("model.safetensors", "tokenizer.json"):
        shutil.copyfile(trained / name, snapshot / name)
    documents = {
        "config": config(tongue),
        "tokenizer_config": tokenizer_config(tongue),
        "generation_config": generation_config(tongue),
    }
    for name, document in documents.items():
        (snapshot / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    trained, snapshot, name = (sys.argv[1:] + [str(TRAINED), str(SNAPSHOT), HERMES.name][len(sys.argv) - 1 :])[:3]
    export(Path(trained), Path(snapshot), TONGUES[name])
