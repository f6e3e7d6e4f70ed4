"""The shape of a BERT-shaped sentence embedder, read from ``shapes/<name>.json``."""

import dataclasses
import json
import pathlib

from .shape import Shape


@dataclasses.dataclass(frozen=True)
class EncoderShape:
    """Sizes are counts of values or tokens; ``eps`` is that of the norms, ``max_batch`` the most texts at once."""

    name: str
    hidden: int
    heads: int
    ffn: int
    layers: int
    vocab: int
    types: int
    eps: float
    context: int
    max_batch: int

    @property
    def head_dim(self) -> int:
        """Values of a head."""
        return self.hidden // self.heads

    @staticmethod
    def read(path: pathlib.Path) -> "EncoderShape":
        """Reads a shape file and checks what the kernels assume about it."""
        document = json.loads(path.read_text())
        if document.pop("architecture") != "bert":
            raise ValueError(f"{path}: the architecture is not bert")
        shape = EncoderShape(**document)
        if shape.hidden % 8 or shape.ffn % 8 or shape.hidden % shape.heads or shape.head_dim % 8:
            raise ValueError(f"{path}: hidden, ffn and the dimension of a head must be multiples of 8")
        return shape


def read_shape(path: pathlib.Path) -> Shape | EncoderShape:
    """Reads a shape file of either architecture. Those of Llamas name none."""
    is_encoder = "architecture" in json.loads(path.read_text())
    return EncoderShape.read(path) if is_encoder else Shape.read(path)
