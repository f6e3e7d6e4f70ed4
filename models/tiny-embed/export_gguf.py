"""Writes the packed tiny-embed as a GGUF file with weights in F16, for llama.cpp.

usage: python export_gguf.py FILE.gguf       needs the packages gguf, numpy and onnx
"""

import json
import sys
from pathlib import Path

import numpy as np
import onnx
from gguf import GGUFWriter, LlamaFileType, PoolingType, TokenType
from onnx import numpy_helper

PACK = Path(__file__).resolve().parents[1] / "packs" / "tiny-embed"

# The hub's names → llama.cpp's. Of each there is a `.weight`, of most a `.bias`.
NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.LayerNorm": "token_embd_norm",
}
LAYER_NAMES = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def theirs(name: str) -> str | None:
    """llama.cpp's name of a tensor; None: it is no weight of the model."""
    module, _, kind = name.rpartition(".")
    if module in NAMES:
        return f"{NAMES[module]}.{kind}"
    if not module.startswith("encoder.layer."):
        return None
    layer, _, part = module.removeprefix("encoder.layer.").partition(".")
    return f"blk.{layer}.{LAYER_NAMES[part]}.{kind}"


def add_weights(writer: GGUFWriter) -> None:
    for initialiser in onnx.load(PACK / "onnx" / "model.onnx").graph.initializer:
        name = theirs(initialiser.name)
        if name is None:
            continue
        values = numpy_helper.to_array(initialiser)
        # Products have their matrices as [in, out] in ONNX, and as [out, in] in GGUF.
        if values.ndim == 2 and name.startswith("blk."):
            values = np.ascontiguousarray(values.T)
        # llama.cpp adds these two as they are, and only knows how to add 32-bit numbers.
        is_added = name in ("position_embd.weight", "token_types.weight")
        writer.add_tensor(name, values if values.ndim == 1 or is_added else values.astype(np.float16))


def add_tokenizer(writer: GGUFWriter) -> None:
    document = json.loads((PACK / "tokenizer.json").read_text())
    vocabulary = sorted(document["model"]["vocab"].items(), key=lambda item: item[1])
    special = {token["content"]: token["id"] for token in document["added_tokens"]}

    def written(piece: str) -> str:
        """llama.cpp marks the pieces that begin a word, and not those that continue one."""
        return piece if piece in special else piece.removeprefix("##") if piece.startswith("##") else f"▁{piece}"

    writer.add_tokenizer_model("bert")
    writer.add_token_list([written(piece) for piece, _ in vocabulary])
    writer.add_token_types([TokenType.CONTROL if piece in special else TokenType.NORMAL for piece, _ in vocabulary])
    writer.add_unk_token_id(special["[UNK]"])
    writer.add_pad_token_id(special["[PAD]"])
    writer.add_bos_token_id(special["[CLS]"])
    writer.add_sep_token_id(special["[SEP]"])
    writer.add_mask_token_id(special["[MASK]"])


def main() -> None:
    config = json.loads((PACK / "config.json").read_text())
    writer = GGUFWriter(sys.argv[1], "bert")
    writer.add_name("tiny-embed")
    writer.add_license("mit")
    writer.add_file_type(LlamaFileType.MOSTLY_F16)
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_token_type_count(config["type_vocab_size"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(PoolingType.MEAN)
    add_tokenizer(writer)
    add_weights(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
