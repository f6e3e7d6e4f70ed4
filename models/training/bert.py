"""The forward pass of BERT in JAX, in f32, and its initial weights.

Parameters are a flat dictionary. Matrices are [in, out]; `qkv` is [hidden, 3 hidden]. Norms have a scale and a shift.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]
MASKED = -1e9  # added to the scores of padding


@dataclass(frozen=True)
class Shape:
    hidden: int = 128
    layers: int = 3
    heads: int = 4
    ffn: int = 256
    vocab: int = 1536
    positions: int = 256
    types: int = 2
    eps: float = 1e-12  # of the norms

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads


SHAPE = Shape()


def initial_weights(seed: int, shape: Shape = SHAPE) -> Params:
    rng = np.random.default_rng(seed)
    hidden = shape.hidden
    weights: dict[str, np.ndarray] = {
        "embed_tokens": rng.normal(size=(shape.vocab, hidden)) * 0.5,
        "embed_positions": rng.normal(size=(shape.positions, hidden)) * 0.05,
        "embed_types": rng.normal(size=(shape.types, hidden)) * 0.1,
    }

    def norm(name: str) -> None:
        weights[f"{name}.scale"], weights[f"{name}.shift"] = np.ones(hidden), np.zeros(hidden)

    def linear(name: str, rows: int, columns: int, size: float = 1.0) -> None:
        weights[name] = rng.normal(size=(rows, columns)) / np.sqrt(rows) * size
        weights[f"{name}.bias"] = np.zeros(columns)

    norm("embed_norm")
    for layer in range(shape.layers):
        name = f"layers.{layer}"
        linear(f"{name}.qkv", hidden, 3 * hidden)
        linear(f"{name}.o", hidden, hidden, 0.1)
        norm(f"{name}.attn_norm")
        linear(f"{name}.up", hidden, shape.ffn)
        linear(f"{name}.down", shape.ffn, hidden, 0.1)
        norm(f"{name}.ffn_norm")
    return {name: jnp.asarray(value, jnp.float32) for name, value in weights.items()}


def linear(params: Params, name: str, x: jax.Array) -> jax.Array:
    return x @ params[name] + params[f"{name}.bias"]


def norm(params: Params, name: str, x: jax.Array, eps: float) -> jax.Array:
    x = x - x.mean(axis=-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return x * params[f"{name}.scale"] + params[f"{name}.shift"]


def attend(qkv: jax.Array, mask: jax.Array, shape: Shape) -> jax.Array:
    batch, time = qkv.shape[:2]
    q, k, v = qkv.reshape(batch, time, 3, shape.heads, shape.head_dim).transpose(2, 0, 3, 1, 4)
    scores = q @ k.swapaxes(-1, -2) * shape.head_dim**-0.5 + jnp.where(mask > 0, 0.0, MASKED)[:, None, None]
    return (jax.nn.softmax(scores, axis=-1) @ v).swapaxes(1, 2).reshape(batch, time, shape.hidden)


def forward(params: Params, ids: jax.Array, mask: jax.Array, types: jax.Array, shape: Shape = SHAPE) -> jax.Array:
    """Hidden states [batch, time, hidden]. ids, mask and types are [batch, time]; mask is 0 for padding."""
    x = params["embed_tokens"][ids] + params["embed_positions"][: ids.shape[1]] + params["embed_types"][types]
    x = norm(params, "embed_norm", x, shape.eps)
    for layer in range(shape.layers):
        name = f"layers.{layer}"
        attended = attend(linear(params, f"{name}.qkv", x), mask, shape)
        x = norm(params, f"{name}.attn_norm", x + linear(params, f"{name}.o", attended), shape.eps)
        up = jax.nn.gelu(linear(params, f"{name}.up", x), approximate=False)
        x = norm(params, f"{name}.ffn_norm", x + linear(params, f"{name}.down", up), shape.eps)
    return x


def mean_pooled(hidden: jax.Array, mask: jax.Array) -> jax.Array:
    weights = mask[..., None].astype(hidden.dtype)
    return (hidden * weights).sum(axis=1) / weights.sum(axis=1)


def classified(params: Params, hidden: jax.Array) -> jax.Array:
    """The logits [batch, 1] of BertForSequenceClassification: the pooled first token through the classifier."""
    return linear(params, "classifier", jnp.tanh(linear(params, "pooler", hidden[:, 0])))
