"""The forward pass of a Llama in JAX, in f32.

Parameters are a flat dictionary: `embed_tokens` [vocab, hidden], `norm` [hidden] and, for each layer,
`layers.<i>.attn_norm`, `.qkv` [hidden, q + k + v], `.o`, `.ffn_norm`, `.gate_up` [hidden, 2 ffn], `.down`.
Matrices are [in, out].
"""

import jax
import jax.numpy as jnp

from quantise import Params, quantised
from shape import SHAPE, Shape

# Keys and values of each layer, [batch, positions, kv_heads, head_dim]. Each layer has its own arrays, so that they are
# updated in place.
Cache = tuple[tuple[jax.Array, jax.Array], ...]
MASKED = -1e9  # added to the scores of positions that must not be seen


def rms_norm(x: jax.Array, weight: jax.Array, eps: float) -> jax.Array:
    return x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + eps) * weight


def rotate(x: jax.Array, positions: jax.Array, shape: Shape) -> jax.Array:
    """Rotary embedding of the two halves of each head, as in the hub's Llama; x [batch, time, heads, head_dim]."""
    half = shape.head_dim // 2
    frequencies = shape.rope_theta ** (-jnp.arange(half) / half)
    angles = positions[..., None] * frequencies  # [batch, time, half]
    cos, sin = jnp.cos(angles)[:, :, None], jnp.sin(angles)[:, :, None]
    first, second = x[..., :half], x[..., half:]
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def attend(q: jax.Array, k: jax.Array, v: jax.Array, mask: jax.Array, shape: Shape) -> jax.Array:
    """q [batch, t, heads, head_dim], k and v [batch, s, kv_heads, head_dim], mask [batch or 1, t, s] -> [batch, t, q].

    The heads of a group are concatenated along time. Then each product is a plain batched matmul, which is several
    times faster on the CPU backend than an einsum over five axes.
    """
    batch, t = q.shape[:2]
    kv, group, width = shape.kv_heads, shape.heads // shape.kv_heads, shape.head_dim
    q = q.reshape(batch, t, kv, group, width).transpose(0, 2, 3, 1, 4).reshape(batch * kv, group * t, width)
    k, v = (x.transpose(0, 2, 1, 3).reshape(batch * kv, -1, width) for x in (k, v))
    scores = jnp.matmul(q, k.transpose(0, 2, 1)).reshape(batch, kv, group, t, -1) + mask[:, None, None]
    weights = jax.nn.softmax(scores, axis=-1).reshape(batch * kv, group * t, -1)
    out = jnp.matmul(weights, v).reshape(batch, kv, group, t, width)
    return out.transpose(0, 3, 1, 2, 4).reshape(batch, t, shape.q_width)


def forward(
    params: Params, ids: jax.Array, positions: jax.Array, cache: Cache | None = None, shape: Shape = SHAPE
) -> tuple[jax.Array, Cache | None]:
    """Hidden states [batch, time, hidden] of ids [batch, time] at positions [batch, time].

    Without a cache, each token sees itself and the tokens before it. With a cache, keys and values are written at
    `positions`, and each token sees the cache up to its own position.
    """
    return forward_embedded(params, params["embed_tokens"][ids], positions, cache, shape)


def forward_embedded(
    params: Params, x: jax.Array, positions: jax.Array, cache: Cache | None, shape: Shape
) -> tuple[jax.Array, Cache | None]:
    """As `forward`, of embeddings x [batch, time, hidden]."""
    batch, time = x.shape[:2]
    rows = jnp.arange(batch)[:, None]
    new_cache: list[tuple[jax.Array, jax.Array]] = []
    if cache is None:
        mask = jnp.where(jnp.tril(jnp.ones((time, time), bool)), 0.0, MASKED)[None]
    else:
        mask = jnp.where(jnp.arange(cache[0][0].shape[1])[None, None] <= positions[:, :, None], 0.0, MASKED)
    for layer in range(shape.layers):
        name = f"layers.{layer}"
        qkv = rms_norm(x, params[f"{name}.attn_norm"], shape.eps) @ params[f"{name}.qkv"]
        qkv = qkv.reshape(batch, time, shape.heads + 2 * shape.kv_heads, shape.head_dim)
        q, k, v = jnp.split(qkv, [shape.heads, shape.heads + shape.kv_heads], axis=2)
        q, k = rotate(q, positions, shape) * shape.head_dim**-0.5, rotate(k, positions, shape)
        if cache is not None:
            keys, values = cache[layer]
            k, v = keys.at[rows, positions].set(k), values.at[rows, positions].set(v)
            new_cache.append((k, v))
        x = x + attend(q, k, v, mask, shape) @ params[f"{name}.o"]
        up = rms_norm(x, params[f"{name}.ffn_norm"], shape.eps) @ params[f"{name}.gate_up"]
        x = x + (jax.nn.silu(up[..., : shape.ffn]) * up[..., shape.ffn :]) @ params[f"{name}.down"]
    return rms_norm(x, params["norm"], shape.eps), tuple(new_cache) if cache else None


def logits(params: Params, hidden: jax.Array) -> jax.Array:
    return hidden @ params["embed_tokens"].T


def loss(params: Params, ids: jax.Array, weights: jax.Array, quantise: bool) -> jax.Array:
    """Weighted mean of -log p of the next token. ids is [batch, time]; weights [batch, time - 1] are for ids[:, 1:]."""
    if quantise:
        params = quantised(params)
    batch, time = ids.shape
    positions = jnp.broadcast_to(jnp.arange(time - 1), (batch, time - 1))
    hidden, _ = forward(params, ids[:, :-1], positions)
    scores = logits(params, hidden)
    # A product with one-hot rows, because the gradient of a gather is slow on the CPU.
    right = (scores * jax.nn.one_hot(ids[:, 1:], scores.shape[-1])).sum(axis=-1)
    return ((jax.nn.logsumexp(scores, axis=-1) - right) * weights).sum() / weights.sum()
