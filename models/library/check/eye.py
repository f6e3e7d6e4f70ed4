"""The image tower of compiler/kernels_vision.py in numpy, and the sizes that web-llm passes to it."""

import math

import numpy as np

from compiler.vision_layout import BLOCK, CELL, CELLS, CROP, FEATURES, PER_CROP, WHITE

from .pack import Pack

MOST_CROPS = 16


def resized_shape(height: int, width: int) -> tuple[int, int]:
    """Height and width to which Phi-3.5-vision scales an image."""
    ratio = width / height
    scale = 1
    while scale * math.ceil(scale / ratio) <= MOST_CROPS:
        scale += 1
    scale -= 1
    return math.floor(scale * CROP / ratio), scale * CROP


def _resize(pixels: np.ndarray, height: int, width: int) -> np.ndarray:
    def places(count: int, old: int):
        at = (np.arange(count, dtype=np.float32) + np.float32(0.5)) * np.float32(old) / np.float32(count)
        at = np.clip(at - np.float32(0.5), 0, old - 1)
        low = at.astype(np.int32)
        return low, np.minimum(low + 1, old - 1), at - low

    top, bottom, down = places(height, pixels.shape[0])
    left, right, across = places(width, pixels.shape[1])
    values = pixels.astype(np.float32)
    lines = values[:, left] * (1 - across)[:, None] + values[:, right] * across[:, None]
    return lines[top] * (1 - down)[:, None, None] + lines[bottom] * down[:, None, None]


def _cells(image: np.ndarray, rows: int, columns: int) -> np.ndarray:
    missing = rows * BLOCK - image.shape[0]
    padded = np.pad(image, ((missing // 2, missing - missing // 2), (0, 0), (0, 0)), constant_values=WHITE)
    squares = padded.reshape(rows, CELLS, CELL, columns, CELLS, CELL, 3).mean((2, 5), dtype=np.float32)
    return squares.transpose(0, 2, 1, 3, 4).reshape(rows, columns, FEATURES) * np.float32(4 / WHITE) - 2


class Eye:
    """``embed`` turns pixels [h, w, 3] into embeddings [tokens, hidden]."""

    def __init__(self, pack: Pack) -> None:
        self.w1, self.b1, self.w2, self.marks = (pack.tensors[f"eye.{name}"] for name in ("w1", "b1", "w2", "marks"))

    def embed(self, pixels: np.ndarray) -> np.ndarray:
        """The crops, a mark, and the whole image."""
        height, width = resized_shape(*pixels.shape[:2])
        rows, columns = -(-height // CROP) * PER_CROP, width // CROP * PER_CROP
        crops = self._rows(_cells(_resize(pixels, height, width), rows, columns))
        whole = self._rows(_cells(_resize(pixels, CROP, CROP), PER_CROP, PER_CROP))
        return np.concatenate([crops, self.marks[1:], whole])

    def _rows(self, cells: np.ndarray) -> np.ndarray:
        hidden = cells @ self.w1 + self.b1
        seen = hidden / (1 + np.exp(-hidden)) @ self.w2
        ends = np.broadcast_to(self.marks[0], (len(seen), 1, seen.shape[-1]))
        return np.concatenate([seen, ends], axis=1).reshape(-1, seen.shape[-1])
