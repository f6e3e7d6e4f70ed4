"""The forward pass of a Llama in numpy, in f32 with a KV cache. It follows the architecture's definition."""

import numpy as np

from compiler.shape import Shape

from .pack import Pack


def rotate(x: np.ndarray, positions: np.ndarray, theta: float) -> np.ndarray:
    """Rotary embedding of ``x`` [s, heads, dim]. A head's halves are real and imaginary parts of complex numbers."""
    half = x.shape[-1] // 2
    angles = positions[:, None] * theta ** (-np.arange(half) / half)
    cos, sin = np.cos(angles)[:, None].astype(np.float32), np.sin(angles)[:, None].astype(np.float32)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)


class Llama:
    """One conversation: ``feed`` appends tokens and returns the logits after the last of them."""

    def __init__(self, pack: Pack, shape: Shape) -> None:
        self.shape = shape
        self.embedding = pack.embedding()
        self.final_norm = pack.norm("norm")
        self.layers = [
            {name: pack.linear(f"layers.{i}.{name}") for name in ("qkv", "o", "gate_up", "down")}
            | {name: pack.norm(f"layers.{i}.{name}") for name in ("attn_norm", "ffn_norm")}
            for i in range(shape.layers)
        ]
        self.reset()

    def reset(self) -> None:
        """Forgets the conversation."""
        empty = np.zeros((0, self.shape.kv_heads, self.shape.head_dim), np.float32)
        self.cache = [(empty, empty)] * self.shape.layers
        self.length = 0

    def feed(self, tokens: list[int]) -> np.ndarray:
        """Appends tokens to the conversation and returns the logits [vocab] after the last."""
        return self.read(self.embedding[tokens])

    def read(self, x: np.ndarray) -> np.ndarray:
        """Appends embeddings [s, hidden], of tokens or of images, and returns the logits after the last."""
        positions = self.length + np.arange(len(x))
        for index, layer in enumerate(self.layers):
            x = x + self._attention(index, layer, self._norm(x, layer["attn_norm"]), positions)
            gate, up = np.split(self._norm(x, layer["ffn_norm"]) @ layer["gate_up"], 2, axis=-1)
            x = x + (gate / (1 + np.exp(-gate)) * up) @ layer["down"]
        self.length += len(positions)
        return self._norm(x[-1], self.final_norm) @ self.embedding.T

    def _norm(self, x: np.ndarray, weight: np.ndarray) -> np.ndarray:
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(self.shape.eps)) * weight

    def _attention(self, index: int, layer: dict, x: np.ndarray, positions: np.ndarray) -> np.ndarray:
        shape = self.shape
        fused = (x @ layer["qkv"]).reshape(len(x), -1, shape.head_dim)
        q, k, v = np.split(fused, [shape.heads, shape.heads + shape.kv_heads], axis=1)
        q, k = rotate(q, positions, shape.rope_theta), rotate(k, positions, shape.rope_theta)
        keys, values = (np.concatenate(pair) for pair in zip(self.cache[index], (k, v)))
        self.cache[index] = (keys, values)
        group = shape.heads // shape.kv_heads
        scores = np.einsum("shd,thd->hst", q, np.repeat(keys, group, axis=1)) * np.float32(shape.head_dim**-0.5)
        scores = np.where(np.arange(len(keys)) <= positions[:, None], scores, np.float32(-1e30))
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights /= weights.sum(-1, keepdims=True)
        attended = np.einsum("hst,thd->shd", weights, np.repeat(values, group, axis=1))
        return attended.reshape(len(x), -1) @ layer["o"]
