"""Describes the packed tiny-embed as an MLC repository, for WebLLM, in models/tiny-embed/mlc.

The weights are not written again: those of the ONNX file are f32 and in the layout that the model library wants, so
that file is the repository's `params_shard_0.bin`, and `tensor-cache.json` says where in it each tensor is.

usage: python export_mlc.py       needs the packages numpy and onnx
"""

import json
import re
from pathlib import Path

import onnx

HERE = Path(__file__).resolve().parent
PACK = HERE.parent / "packs" / "tiny-embed"
LIBRARIES = HERE.parent / "library" / "built" / "library.json"
OUT = HERE / "mlc"

# The hub's names → the library's.
NAMES = {
    "embeddings.word_embeddings.weight": "embed.words",
    "embeddings.position_embeddings.weight": "embed.positions",
    "embeddings.token_type_embeddings.weight": "embed.types",
    "embeddings.LayerNorm.weight": "embed.norm.scale",
    "embeddings.LayerNorm.bias": "embed.norm.shift",
}
LAYER_NAMES = {
    "attention.self.query.weight": "q.weight",
    "attention.self.query.bias": "q.bias",
    "attention.self.key.weight": "k.weight",
    "attention.self.key.bias": "k.bias",
    "attention.self.value.weight": "v.weight",
    "attention.self.value.bias": "v.bias",
    "attention.output.dense.weight": "o.weight",
    "attention.output.dense.bias": "o.bias",
    "attention.output.LayerNorm.weight": "attn_norm.scale",
    "attention.output.LayerNorm.bias": "attn_norm.shift",
    "intermediate.dense.weight": "up.weight",
    "intermediate.dense.bias": "up.bias",
    "output.dense.weight": "down.weight",
    "output.dense.bias": "down.bias",
    "output.LayerNorm.weight": "ffn_norm.scale",
    "output.LayerNorm.bias": "ffn_norm.shift",
}


def ours(name: str) -> str | None:
    """The library's name of a tensor; None: it is no weight of the model."""
    if not name.startswith("encoder.layer."):
        return NAMES.get(name)
    layer, _, part = name.removeprefix("encoder.layer.").partition(".")
    return f"layers.{layer}.{LAYER_NAMES[part]}"


def tensors(file: bytes) -> dict[str, dict]:
    """Where each tensor of the model is in the ONNX file."""
    found = {}
    for initialiser in onnx.load_from_string(file).graph.initializer:
        name = ours(initialiser.name)
        if name is None:
            continue
        raw = initialiser.raw_data
        found[name] = {"name": name, "shape": list(initialiser.dims), "dtype": "float32", "format": "raw",
                       "nbytes": len(raw), "byteOffset": file.index(raw)}
    return found


def chat_config(shape: dict) -> dict:
    """`mlc-chat-config.json` with the fields that WebLLM and slashv1 read."""
    config = json.loads((PACK / "config.json").read_text())
    sizes = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
             "layer_norm_eps")
    return {
        "version": "0.1.0",
        "model_type": "bert",
        "quantization": "q0f32",
        "model_config": {
            **{size: config[size] for size in sizes},
            "context_window_size": shape["context"],
            "prefill_chunk_size": shape["context"],
            "max_batch_size": shape["max_batch"],
        },
        "vocab_size": shape["vocab"],
        "context_window_size": shape["context"],
        "sliding_window_size": -1,
        "prefill_chunk_size": shape["context"],
        "tokenizer_files": ["tokenizer.json", "tokenizer_config.json"],
    }


def write(name: str, document: object) -> None:
    OUT.mkdir(exist_ok=True)
    # Each tensor is on one line.
    text = re.sub(r"\{\s+\"name\"[^}]+\}", lambda match: re.sub(r"\s+", " ", match[0]), json.dumps(document, indent=1))
    (OUT / name).write_text(text + "\n")


def main() -> None:
    library = json.loads(LIBRARIES.read_text())["encoders"]["tiny-embed"]
    file = (PACK / "onnx" / "model.onnx").read_bytes()
    found = tensors(file)
    wanted = {param["name"]: param["shape"] for param in library["params"]}
    if {name: tensor["shape"] for name, tensor in found.items()} != wanted:
        raise ValueError("the ONNX file has other tensors than the model library wants")
    shard = {"dataPath": "params_shard_0.bin", "format": "raw-shard", "nbytes": len(file), "records": list(found.values())}
    write("tensor-cache.json", {"metadata": {"ParamSize": len(found)}, "records": [shard]})
    write("mlc-chat-config.json", chat_config(library["shape"]))


if __name__ == "__main__":
    main()
