"""Weights on disk: a safetensors file with the tensor names and layouts of a Hugging Face Llama, in f32."""

from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from shape import SHAPE, Shape

Params = dict[str, np.ndarray]


def to_hub(params: Params, shape: Shape = SHAPE) -> Params:
    """Turns our names and [in, out] matrices into the hub's names and [out, in] matrices."""
    q_end = shape.q_width
    k_end = q_end + shape.kv_width
    hub = {"model.embed_tokens.weight": params["embed_tokens"], "model.norm.weight": params["norm"]}
    for layer in range(shape.layers):
        ours, theirs = f"layers.{layer}", f"model.layers.{layer}"
        qkv, gate_up = params[f"{ours}.qkv"], params[f"{ours}.gate_up"]
        hub |= {
            f"{theirs}.input_layernorm.weight": params[f"{ours}.attn_norm"],
            f"{theirs}.self_attn.q_proj.weight": qkv[:, :q_end].T,
            f"{theirs}.self_attn.k_proj.weight": qkv[:, q_end:k_end].T,
            f"{theirs}.self_attn.v_proj.weight": qkv[:, k_end:].T,
            f"{theirs}.self_attn.o_proj.weight": params[f"{ours}.o"].T,
            f"{theirs}.post_attention_layernorm.weight": params[f"{ours}.ffn_norm"],
            f"{theirs}.mlp.gate_proj.weight": gate_up[:, : shape.ffn].T,
            f"{theirs}.mlp.up_proj.weight": gate_up[:, shape.ffn :].T,
            f"{theirs}.mlp.down_proj.weight": params[f"{ours}.down"].T,
        }
    return {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in hub.items()}


def from_hub(hub: Params, shape: Shape = SHAPE) -> Params:
    """The inverse of to_hub."""
    params = {"embed_tokens": hub["model.embed_tokens.weight"], "norm": hub["model.norm.weight"]}
    for layer in range(shape.layers):
        ours, theirs = f"layers.{layer}", f"model.layers.{layer}"
        qkv = [hub[f"{theirs}.self_attn.{name}_proj.weight"].T for name in "qkv"]
        gate_up = [hub[f"{theirs}.mlp.{name}_proj.weight"].T for name in ("gate", "up")]
        params |= {
            f"{ours}.attn_norm": hub[f"{theirs}.input_layernorm.weight"],
            f"{ours}.qkv": np.concatenate(qkv, axis=1),
            f"{ours}.o": hub[f"{theirs}.self_attn.o_proj.weight"].T,
            f"{ours}.ffn_norm": hub[f"{theirs}.post_attention_layernorm.weight"],
            f"{ours}.gate_up": np.concatenate(gate_up, axis=1),
            f"{ours}.down": hub[f"{theirs}.mlp.down_proj.weight"].T,
        }
    return {name: np.ascontiguousarray(tensor, np.float32) for name, tensor in params.items()}


def save(params: Params, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(to_hub({name: np.asarray(value) for name, value in params.items()}), path, {"format": "pt"})


def load(path: Path) -> Params:
    return from_hub(load_file(path))
