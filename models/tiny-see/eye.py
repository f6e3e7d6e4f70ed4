"""The eye in JAX, in f32: clip.cpp's graph of an `idefics3` projector.

Parameters are a flat dictionary: `eye.patch` [patch * patch * 3, hidden], `eye.patch_bias`, `eye.embed_positions`
[patches, hidden], `eye.post_norm`, `eye.post_norm_bias`, `eye.project` [merge * merge * hidden, text hidden] and, for
each layer, `eye.<i>.norm_1`, `.qkv` [hidden, 3 hidden], `.out`, `.norm_2`, `.up`, `.down`, each with a `_bias`.
"""

import jax
import jax.numpy as jnp
import numpy as np
from PIL import Image

from quantise import Params
from sizes import EYE, TEXT, Eye


def initial_weights(seed: int, eye: Eye = EYE) -> Params:
    rng = np.random.default_rng(seed)

    def matrix(rows: int, columns: int, size: float = 1.0) -> jax.Array:
        return jnp.asarray(rng.normal(0, size / np.sqrt(rows), (rows, columns)), jnp.float32)

    def biases(count: int) -> jax.Array:
        return jnp.zeros(count)

    width = eye.hidden
    params = {
        "eye.patch": matrix(eye.patch**2 * 3, width),
        "eye.patch_bias": biases(width),
        "eye.embed_positions": matrix(eye.patches, width, 0.2 * np.sqrt(eye.patches)),
        "eye.post_norm": jnp.ones(width),
        "eye.post_norm_bias": biases(width),
        "eye.project": matrix(eye.merge**2 * width, TEXT.hidden),
    }
    deep = 1 / np.sqrt(2 * eye.layers)
    for layer in range(eye.layers):
        name = f"eye.{layer}"
        params |= {
            f"{name}.norm_1": jnp.ones(width),
            f"{name}.norm_1_bias": biases(width),
            f"{name}.qkv": matrix(width, 3 * width),
            f"{name}.qkv_bias": biases(3 * width),
            f"{name}.out": matrix(width, width, deep),
            f"{name}.out_bias": biases(width),
            f"{name}.norm_2": jnp.ones(width),
            f"{name}.norm_2_bias": biases(width),
            f"{name}.up": matrix(width, eye.ffn),
            f"{name}.up_bias": biases(eye.ffn),
            f"{name}.down": matrix(eye.ffn, width, deep),
            f"{name}.down_bias": biases(width),
        }
    return params


def pixels(picture: Image.Image, eye: Eye = EYE) -> np.ndarray:
    """The picture as llama.cpp shows it to the eye: bytes [side, side, 3].

    Its longer side is resized to `side`, then both, which squeezes a picture that is not square. llama.cpp's resize is
    a port of Pillow's, so the bytes are the same.
    """
    width, height = picture.size
    if width >= height:
        other = int(eye.side / (width / height))
        first = (eye.side, other + other % 2)
    else:
        other = int(eye.side * (width / height))
        first = (other + other % 2, eye.side)
    for size in (first, (eye.side, eye.side)):
        if picture.size != size:
            picture = picture.resize(size, Image.Resampling.LANCZOS)
    return np.asarray(picture, np.uint8)


def layer_norm(params: Params, name: str, x: jax.Array, eps: float) -> jax.Array:
    x = x - x.mean(axis=-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return x * params[name] + params[f"{name}_bias"]


def linear(params: Params, name: str, x: jax.Array) -> jax.Array:
    return x @ params[name] + params[f"{name}_bias"]


def attend(x: jax.Array, eye: Eye) -> jax.Array:
    """x [batch, patches, 3 hidden] -> [batch, patches, hidden]; every patch sees all."""
    batch, count = x.shape[:2]
    width = eye.hidden // eye.heads
    q, k, v = (
        part.reshape(batch, count, eye.heads, width).transpose(0, 2, 1, 3).reshape(-1, count, width)
        for part in jnp.split(x, 3, axis=-1)
    )
    weights = jax.nn.softmax(jnp.matmul(q, k.transpose(0, 2, 1)) * width**-0.5, axis=-1)
    seen = jnp.matmul(weights, v).reshape(batch, eye.heads, count, width)
    return seen.transpose(0, 2, 1, 3).reshape(batch, count, eye.hidden)


def look(params: Params, pictures: jax.Array, eye: Eye = EYE) -> jax.Array:
    """Bytes [batch, side, side, 3] -> [batch, tokens, text hidden]."""
    batch, rows = pictures.shape[0], eye.side // eye.patch
    x = pictures.astype(jnp.float32) / 127.5 - 1
    x = x.reshape(batch, rows, eye.patch, rows, eye.patch, 3).transpose(0, 1, 3, 2, 4, 5)
    x = linear(params, "eye.patch", x.reshape(batch, eye.patches, -1)) + params["eye.embed_positions"]
    for layer in range(eye.layers):
        name = f"eye.{layer}"
        normed = layer_norm(params, f"{name}.norm_1", x, eye.eps)
        x = x + linear(params, f"{name}.out", attend(linear(params, f"{name}.qkv", normed), eye))
        normed = layer_norm(params, f"{name}.norm_2", x, eye.eps)
        x = x + linear(params, f"{name}.down", jax.nn.gelu(linear(params, f"{name}.up", normed)))
    x = layer_norm(params, "eye.post_norm", x, eye.eps)
    rows //= eye.merge
    x = x.reshape(batch, rows, eye.merge, rows, eye.merge, eye.hidden).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(batch, eye.tokens, -1) @ params["eye.project"]
