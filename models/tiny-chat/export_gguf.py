"""Writes the trained model as a GGUF file, with the values that the weights of its pack stand for.

So WebLLM and llama.cpp compute with the same numbers. They are stored as F32: with F16, logits differ by up to 0.04 from
those of the pack, most of it because of the embedding. ggml's 4-bit types would round the activations, too. The files of
the other tongues are F16, half as large: tests compare their answers, not their logits.

usage: PYTHONPATH=models/library python export_gguf.py PACK_DIR GGUF_FILE [TONGUE]
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import gguf
import numpy as np
from check.pack import Pack

from corpus.tongues import HERMES, TONGUES
from export import ends
from shape import END_ID, PAD_ID, SHAPE, START_ID, Shape

HERE = Path(__file__).resolve().parent
TOKENIZER = HERE / "trained" / "tokenizer.json"
TEMPLATE = HERE / "template.jinja"

# llama.cpp's pre-tokenizer with single digits and the regular expression of GPT-2. It does not split at newlines, but
# no merge has a newline or a second space, so the tokens are the same. check_gguf.py compares them.
PRE_TOKENIZER = "smollm"

Tensors = dict[str, np.ndarray]


class Weights(Protocol):
    """Where the values are: matrices as [in, out]."""

    def linear(self, name: str) -> np.ndarray: ...
    def norm(self, name: str) -> np.ndarray: ...
    def embedding(self) -> np.ndarray: ...


def interleaved(rows: np.ndarray, shape: Shape) -> np.ndarray:
    """Q or K rows in llama.cpp's order: in each head, the rows of the two rotary halves alternate."""
    halves = rows.reshape(-1, 2, shape.head_dim // 2, shape.hidden)
    return halves.swapaxes(1, 2).reshape(rows.shape)


def layer_tensors(pack: Weights, layer: int, shape: Shape) -> Tensors:
    """A layer's matrices as [out, in], by llama.cpp's names."""
    ours, theirs = f"layers.{layer}", f"blk.{layer}"
    q_end, k_end = shape.q_width, shape.q_width + shape.kv_width
    q, k, v = np.split(pack.linear(f"{ours}.qkv").T, [q_end, k_end])
    gate, up = np.split(pack.linear(f"{ours}.gate_up").T, 2)
    return {
        f"{theirs}.attn_norm.weight": pack.norm(f"{ours}.attn_norm"),
        f"{theirs}.attn_q.weight": interleaved(q, shape),
        f"{theirs}.attn_k.weight": interleaved(k, shape),
        f"{theirs}.attn_v.weight": v,
        f"{theirs}.attn_output.weight": pack.linear(f"{ours}.o").T,
        f"{theirs}.ffn_norm.weight": pack.norm(f"{ours}.ffn_norm"),
        f"{theirs}.ffn_gate.weight": gate,
        f"{theirs}.ffn_up.weight": up,
        f"{theirs}.ffn_down.weight": pack.linear(f"{ours}.down").T,
    }


def tensors(pack: Weights, shape: Shape) -> Tensors:
    found = {"token_embd.weight": pack.embedding(), "output_norm.weight": pack.norm("norm")}
    for layer in range(shape.layers):
        found |= layer_tensors(pack, layer, shape)
    return found


def add_shape(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.hidden)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.ffn)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_dimension_count(shape.head_dim)
    writer.add_rope_freq_base(shape.rope_theta)
    writer.add_layer_norm_rms_eps(shape.eps)
    writer.add_vocab_size(shape.vocab)


def token_types(tokens: list[str], added: list[dict[str, Any]]) -> list[gguf.TokenType]:
    special = {token["content"]: token["special"] for token in added}
    kinds = {None: gguf.TokenType.NORMAL, False: gguf.TokenType.USER_DEFINED, True: gguf.TokenType.CONTROL}
    return [kinds[special.get(token)] for token in tokens]


def add_tokenizer(writer: gguf.GGUFWriter, tokenizer: Path, template: Path, turn_ends: Sequence[int]) -> None:
    document = json.loads(tokenizer.read_text())
    vocabulary = document["model"]["vocab"]
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(PRE_TOKENIZER)
    writer.add_token_list(tokens)
    writer.add_token_types(token_types(tokens, document["added_tokens"]))
    writer.add_token_merges([" ".join(pair) for pair in document["model"]["merges"]])
    writer.add_bos_token_id(START_ID)
    writer.add_eos_token_id(turn_ends[0])
    writer.add_eot_token_id(turn_ends[-1])
    writer.add_pad_token_id(PAD_ID)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(template.read_text().rstrip("\n"))


def export(
    weights: Weights,
    shape: Shape,
    name: str,
    path: Path,
    tokenizer: Path = TOKENIZER,
    template: Path = TEMPLATE,
    turn_ends: Sequence[int] = (END_ID,),
    matrices: type[np.floating] = np.float32,
) -> None:
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_organization("slashv1")
    writer.add_license("mit")
    is_whole = matrices is np.float32
    writer.add_file_type(gguf.LlamaFileType.ALL_F32 if is_whole else gguf.LlamaFileType.MOSTLY_F16)
    writer.add_sampling_temp(0.0)
    add_shape(writer, shape)
    add_tokenizer(writer, tokenizer, template, turn_ends)
    write(writer, tensors(weights, shape), matrices)


def write(writer: gguf.GGUFWriter, found: Tensors, matrices: type[np.floating] = np.float32) -> None:
    for name, values in found.items():
        writer.add_tensor(name, np.ascontiguousarray(values, matrices if values.ndim > 1 else np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main(pack_folder: str, path: str, name: str = HERMES.name) -> None:
    tongue = TONGUES[name]
    pack = Pack(Path(pack_folder))
    if tongue is HERMES:
        export(pack, SHAPE, "tiny-chat", Path(path))
        return
    tokenizer, template = Path(pack_folder) / "tokenizer.json", tongue.template
    export(pack, SHAPE, f"tiny-chat-{name}", Path(path), tokenizer, template, ends(tongue), np.float16)


if __name__ == "__main__":
    main(*sys.argv[1:])
