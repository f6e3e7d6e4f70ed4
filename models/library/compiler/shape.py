"""The shape of a Llama-architecture model, read from ``shapes/<name>.json``."""

import dataclasses
import json
import pathlib

GROUP = 32  # values that share a scale, along the input dimension (see models/QUANTISATION.md)
PAGE_SIZE = 16  # tokens per page of the KV cache; web-llm always asks for 16


@dataclasses.dataclass(frozen=True)
class Shape:
    """Sizes are counts of values or tokens; ``eps`` and ``rope_theta`` are as in the model's own config."""

    name: str
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    layers: int
    vocab: int
    eps: float
    rope_theta: float
    context: int
    prefill_chunk: int
    vision_width: int = 0  # of the image tower's hidden layer; 0: the model sees no images

    @property
    def qkv_columns(self) -> int:
        """Number of columns of the fused projection: query, key and value heads side by side."""
        return (self.heads + 2 * self.kv_heads) * self.head_dim

    @property
    def kv_bytes_per_token(self) -> int:
        """Bytes of KV cache that a token takes in all layers together (f32 keys and values)."""
        return self.layers * self.kv_heads * self.head_dim * 2 * 4

    @staticmethod
    def read(path: pathlib.Path) -> "Shape":
        """Reads a shape file and checks what the kernels assume about it."""
        shape = Shape(**json.loads(path.read_text()))
        for size in (shape.hidden, shape.ffn, shape.heads * shape.head_dim):
            if size % (2 * GROUP):
                raise ValueError(f"{path}: input dimension {size} is not a multiple of {2 * GROUP}")
        if shape.head_dim % 8 or shape.heads % shape.kv_heads:
            raise ValueError(f"{path}: head_dim must be a multiple of 8, and heads a multiple of kv_heads")
        return shape
