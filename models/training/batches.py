"""Texts as arrays of tokens."""

from collections.abc import Sequence

import numpy as np
from tokenizers import Tokenizer

from word_pieces import PAD_ID

Inputs = tuple[np.ndarray, np.ndarray, np.ndarray]  # ids, mask and types, [batch, time], int64
LENGTH_STEP = 16  # lengths are multiples of it, so that few shapes are compiled


def encode(tokenizer: Tokenizer, texts: Sequence[str] | Sequence[tuple[str, str]]) -> Inputs:
    encodings = tokenizer.encode_batch(texts)
    longest = max(len(encoding) for encoding in encodings)
    time = -(-longest // LENGTH_STEP) * LENGTH_STEP
    ids = np.full((len(encodings), time), PAD_ID, np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for row, encoding in enumerate(encodings):
        length = len(encoding)
        ids[row, :length], mask[row, :length], types[row, :length] = encoding.ids, 1, encoding.type_ids
    return ids, mask, types
