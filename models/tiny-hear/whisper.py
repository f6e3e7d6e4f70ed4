"""A recogniser with the inputs, outputs and tokens of Whisper, in JAX, in f32, and its initial weights.

The encoder has dilated convolutions where Whisper has self-attention. The first layers see 0.4 s to each side, which is
enough for a word. The last two see 1.3 s: the words around a word tell the decoder which of several equal words it is.
Convolutions are learnt from much less speech, and hear a part of a window as they hear it in the whole window. The
decoder is Whisper's.

Parameters are a flat dictionary. Matrices are [in, out]; a convolution of three frames is the matrix [3 in, out].
`embed_tokens` has text and special tokens. The rows of the timestamps are made of the sinusoids of the positions
(`timestamp_rows`), so that a timestamp that training rarely saw is right, too.
"""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np

Params = dict[str, jax.Array]
MASKED = -1e9  # added to the scores of what must not be seen


@dataclass(frozen=True)
class Shape:
    hidden: int = 128
    dilations: tuple[int, ...] = (1, 2, 4, 8, 4, 16, 32)  # of the encoder's layers, in positions
    inner: tuple[int, ...] = (192, 192, 192, 192, 192, 96, 96)  # between the two matrices of such a layer
    decoder_layers: int = 3
    heads: int = 4
    ffn: int = 384
    mels: int = 80
    positions: int = 1500  # of the encoder, 20 ms each
    tokens: int = 448  # positions of the decoder
    eps: float = 1e-5  # of the norms

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads


SHAPE = Shape()


def sinusoids(length: int, channels: int) -> np.ndarray:
    """Whisper's: sines, then cosines, of wavelengths from 2 pi to 20,000 pi positions."""
    rates = np.exp(-np.log(10000) / (channels // 2 - 1) * np.arange(channels // 2))
    angles = np.arange(length)[:, None] * rates
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1).astype(np.float32)


def initial_weights(seed: int, text_tokens: int, frame_columns: int, shape: Shape = SHAPE) -> Params:
    """`text_tokens` counts all but the timestamps; `frame_columns` are those of the loss on single frames."""
    rng = np.random.default_rng(seed)
    hidden = shape.hidden
    weights: dict[str, np.ndarray] = {
        "embed_tokens": rng.normal(size=(text_tokens, hidden)) * 0.1,
        "embed_positions": sinusoids(shape.tokens, hidden) * 0.1,
        "embed_timestamps": np.eye(hidden) * 0.2,
        "embed_timestamps.bias": rng.normal(size=hidden) * 0.1,
    }

    def norm(name: str) -> None:
        weights[f"{name}.scale"], weights[f"{name}.shift"] = np.ones(hidden), np.zeros(hidden)

    def linear(name: str, rows: int, columns: int, size: float = 1.0) -> None:
        weights[name] = rng.normal(size=(rows, columns)) / np.sqrt(rows) * size
        weights[f"{name}.bias"] = np.zeros(columns)

    linear("conv1", 3 * shape.mels, hidden)
    linear("conv2", 3 * hidden, hidden)
    for index, inner in enumerate(shape.inner):
        norm(f"encoder.{index}.norm")
        linear(f"encoder.{index}.up", 3 * hidden, inner)
        linear(f"encoder.{index}.down", inner, hidden, 0.3)
    norm("encoder_norm")
    for index in range(shape.decoder_layers):
        name = f"decoder.{index}"
        for attention in ("self", "cross"):
            norm(f"{name}.{attention}_norm")
            for part in ("query", "key", "value"):
                linear(f"{name}.{attention}.{part}", hidden, hidden)
            linear(f"{name}.{attention}.out", hidden, hidden, 0.1)
        norm(f"{name}.ffn_norm")
        linear(f"{name}.up", hidden, shape.ffn)
        linear(f"{name}.down", shape.ffn, hidden, 0.1)
    norm("decoder_norm")
    linear("frames", hidden, frame_columns)
    return {name: jnp.asarray(value, jnp.float32) for name, value in weights.items()}


def timestamp_rows(params: Params, shape: Shape = SHAPE) -> jax.Array:
    waves = jnp.asarray(sinusoids(shape.positions + 1, shape.hidden))
    return waves @ params["embed_timestamps"] + params["embed_timestamps.bias"]


def linear(params: Params, name: str, x: jax.Array) -> jax.Array:
    return x @ params[name] + params[f"{name}.bias"]


def norm(params: Params, name: str, x: jax.Array, eps: float) -> jax.Array:
    x = x - x.mean(axis=-1, keepdims=True)
    x = x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + eps)
    return x * params[f"{name}.scale"] + params[f"{name}.shift"]


def gelu(x: jax.Array) -> jax.Array:
    return jax.nn.gelu(x, approximate=False)


def attend(params: Params, name: str, x: jax.Array, seen: jax.Array, mask: jax.Array | float, shape: Shape):
    """What `x` gathers from `seen`, and the shares [batch, head, x, seen]."""

    def split(part: str, source: jax.Array) -> jax.Array:
        value = linear(params, f"{name}.{part}", source)
        return value.reshape(*value.shape[:2], shape.heads, shape.head_dim).swapaxes(1, 2)

    query, key, value = split("query", x), split("key", seen), split("value", seen)
    shares = jax.nn.softmax(query @ key.swapaxes(-1, -2) * shape.head_dim**-0.5 + mask, axis=-1)
    return linear(params, f"{name}.out", (shares @ value).swapaxes(1, 2).reshape(x.shape)), shares


def feed_forward(params: Params, name: str, x: jax.Array, shape: Shape) -> jax.Array:
    inner = gelu(linear(params, f"{name}.up", norm(params, f"{name}.ffn_norm", x, shape.eps)))
    return x + linear(params, f"{name}.down", inner)


def neighbours(x: jax.Array, stride: int = 1, dilation: int = 1) -> jax.Array:
    """Each frame with the one before it and the one behind it: [batch, time / stride, 3 in]."""
    padded, time = jnp.pad(x, ((0, 0), (dilation, dilation), (0, 0))), x.shape[1]
    parts = [padded[:, at * dilation : at * dilation + time : stride] for at in range(3)]
    return jnp.concatenate(parts, axis=-1)


def encode(params: Params, mels: jax.Array, positions: jax.Array, shape: Shape = SHAPE) -> jax.Array:
    """mels [batch, frames, mels] of a part of a window, and the positions [batch, frames / 2] of that part in it."""
    x = gelu(linear(params, "conv1", neighbours(mels)))
    x = gelu(linear(params, "conv2", neighbours(x, stride=2)))
    for index, dilation in enumerate(shape.dilations):
        name = f"encoder.{index}"
        seen = neighbours(norm(params, f"{name}.norm", x, shape.eps), dilation=dilation)
        x = x + linear(params, f"{name}.down", gelu(linear(params, f"{name}.up", seen)))
    x = norm(params, "encoder_norm", x, shape.eps)
    return x + jnp.asarray(sinusoids(shape.positions, shape.hidden))[positions]


def decode(params: Params, ids: jax.Array, encoded: jax.Array, shape: Shape = SHAPE):
    """The logits [batch, time, tokens] and the shares of each cross-attention [batch, head, time, position]."""
    table = jnp.concatenate([params["embed_tokens"], timestamp_rows(params, shape)])
    time = ids.shape[1]
    x = table[ids] + params["embed_positions"][:time]
    causal = jnp.where(jnp.tril(jnp.ones((time, time))) > 0, 0.0, MASKED)
    crossed = []
    for index in range(shape.decoder_layers):
        name = f"decoder.{index}"
        normed = norm(params, f"{name}.self_norm", x, shape.eps)
        x = x + attend(params, f"{name}.self", normed, normed, causal, shape)[0]
        gathered, shares = attend(
            params, f"{name}.cross", norm(params, f"{name}.cross_norm", x, shape.eps), encoded, 0.0, shape
        )
        crossed.append(shares)
        x = feed_forward(params, name, x + gathered, shape)
    return norm(params, "decoder_norm", x, shape.eps) @ table.T, crossed
