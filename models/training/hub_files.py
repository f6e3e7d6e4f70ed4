"""Snapshot folders like those of the hub: the files that both models have, and the ONNX file run by ONNX Runtime."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

import bert
import bert_onnx
import training
from batches import Inputs, encode
from word_pieces import MASK, PAD, PAD_ID, SEPARATOR, START, UNKNOWN

TOLERANCE = 1e-4  # between JAX and ONNX Runtime


def config(architecture: str) -> dict[str, Any]:
    shape = bert.SHAPE
    return {
        "architectures": [architecture],
        "model_type": "bert",
        "hidden_size": shape.hidden,
        "intermediate_size": shape.ffn,
        "num_hidden_layers": shape.layers,
        "num_attention_heads": shape.heads,
        "vocab_size": shape.vocab,
        "max_position_embeddings": shape.positions,
        "type_vocab_size": shape.types,
        "layer_norm_eps": shape.eps,
        "hidden_act": "gelu",
        "position_embedding_type": "absolute",
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
        "pad_token_id": PAD_ID,
        "torch_dtype": "float32",
    }


TOKENIZER_CONFIG = {
    "tokenizer_class": "BertTokenizer",
    "model_max_length": bert.SHAPE.positions,
    "do_lower_case": True,
    "clean_up_tokenization_spaces": False,
    "cls_token": START,
    "mask_token": MASK,
    "pad_token": PAD,
    "sep_token": SEPARATOR,
    "unk_token": UNKNOWN,
}


def write_json(path: Path, document: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def write(trained: Path, snapshot: Path, documents: dict[str, object]) -> None:
    """Writes the tokenizer, the ONNX file and the JSON documents, whose keys are paths in the snapshot."""
    for name, document in {"tokenizer_config.json": TOKENIZER_CONFIG, **documents}.items():
        write_json(snapshot / name, document)
    shutil.copyfile(trained / "tokenizer.json", snapshot / "tokenizer.json")
    weights = {name: np.asarray(value) for name, value in training.load(trained / "model.safetensors").items()}
    bert_onnx.write(weights, snapshot / "onnx" / "model.onnx")


class Runner:
    """The tokenizer and the ONNX file of a snapshot. This is what is measured."""

    def __init__(self, snapshot: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(snapshot / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(snapshot / "onnx" / "model.onnx", options)

    def run(self, inputs: Inputs) -> np.ndarray:
        return self.session.run(None, dict(zip(bert_onnx.INPUTS, inputs, strict=True)))[0]

    def embed(self, texts: Sequence[str], dimensions: int) -> np.ndarray:
        """Normalised vectors [texts, dimensions]."""
        inputs = encode(self.tokenizer, texts)
        pooled = np.asarray(bert.mean_pooled(self.run(inputs), inputs[1]))[:, :dimensions]
        return pooled / np.linalg.norm(pooled, axis=-1, keepdims=True)

    def scores(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """The sigmoid of the logits [pairs]."""
        return 1 / (1 + np.exp(-self.run(encode(self.tokenizer, pairs))[:, 0]))


def check(trained: Path, snapshot: Path, texts: Sequence[str] | Sequence[tuple[str, str]]) -> None:
    """Fails if ONNX Runtime and JAX compute something else."""
    runner, params = Runner(snapshot), training.load(trained / "model.safetensors")
    inputs = encode(runner.tokenizer, texts)
    expected = bert.forward(params, *inputs)
    if "classifier" in params:
        expected = bert.classified(params, expected)
    seen = inputs[1][..., None] > 0 if "classifier" not in params else True
    difference = float((np.abs(np.asarray(expected) - runner.run(inputs)) * seen).max())
    print(f"largest difference between JAX and ONNX Runtime: {difference:.2g}")
    if difference > TOLERANCE:
        raise ValueError(f"JAX and ONNX Runtime differ by more than {TOLERANCE}")
