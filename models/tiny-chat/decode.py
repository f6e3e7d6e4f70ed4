"""Greedy decoding of many prompts at once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

import model
from quantise import Params
from shape import END_ID, SHAPE

BATCH = 64  # prompts decoded together
PROMPT_LENGTHS = (128, 256, 512, 1024)  # tokens; each is compiled once
# New tokens. An answer is decoded in the smallest room for the right answer and LEEWAY more tokens. The longest answer
# (counting to 100, with a thought) has about 310.
ROOMS = (40, 128, 384)
LEEWAY = 6


@dataclass(frozen=True)
class Output:
    ids: list[int]  # without the token that ends the turn
    ended: bool  # whether the model ended the turn
    margin: float  # smallest lead of a chosen token over the second best, in logits


@partial(jax.jit, donate_argnums=(2,))
def _read(params: Params, ids: jax.Array, cache: model.Cache, last: jax.Array) -> tuple[jax.Array, model.Cache]:
    """Scores [batch, vocab] after the token at `last` [batch]."""
    positions = jnp.broadcast_to(jnp.arange(ids.shape[1]), ids.shape)
    hidden, cache = model.forward(params, ids, positions, cache)
    return model.logits(params, hidden[jnp.arange(ids.shape[0]), last]), cache


@partial(jax.jit, donate_argnums=(3,))
def _write(params: Params, token: jax.Array, position: jax.Array, cache: model.Cache) -> tuple[jax.Array, model.Cache]:
    hidden, cache = model.forward(params, token[:, None], position[:, None], cache)
    return model.logits(params, hidden[:, 0]), cache


@jax.jit
def _choose(scores: jax.Array) -> tuple[jax.Array, jax.Array]:
    best, chosen = jax.lax.top_k(scores, 2)
    return chosen[:, 0], best[:, 0] - best[:, 1]


def _decode_batch(params: Params, prompts: list[list[int]], length: int, room: int, ends: list[int]) -> list[Output]:
    count = len(prompts)
    ids = np.zeros((BATCH, length), np.int32)
    lengths = np.ones(BATCH, np.int32)
    for row, prompt in enumerate(prompts):
        ids[row, : len(prompt)] = prompt
        lengths[row] = len(prompt)
    size = (BATCH, length + room, SHAPE.kv_heads, SHAPE.head_dim)
    cache = tuple((jnp.zeros(size), jnp.zeros(size)) for _ in range(SHAPE.layers))
    scores, cache = _read(params, ids, cache, lengths - 1)
    done = np.arange(BATCH) >= count
    tokens, margins = [], []
    for step in range(room):
        token, margin = _choose(scores)
        tokens.append(np.asarray(token))
        margins.append(np.asarray(margin))
        done |= np.isin(tokens[-1], ends)
        if done.all():
            break
        scores, cache = _write(params, token, lengths + step, cache)
    outputs = []
    for row in range(count):
        written = [int(token[row]) for token in tokens]
        end = next((place for place, token in enumerate(written) if token in ends), len(written))
        ended = end < len(written)
        outputs.append(Output(written[:end], ended, float(min(margin[row] for margin in margins[: end + 1]))))
    return outputs


def greedy(
    params: Params, prompts: list[list[int]], expected_lengths: list[int], ends: Sequence[int] = (END_ID,)
) -> list[Output]:
    """One output for each prompt, up to a token of `ends`. Prompts whose answers have similar lengths are decoded
    together."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, (prompt, expected) in enumerate(zip(prompts, expected_lengths)):
        length = next(length for length in PROMPT_LENGTHS if len(prompt) <= length)
        room = next(room for room in ROOMS if expected + LEEWAY <= room)
        groups[length, room].append(place)
    outputs: dict[int, Output] = {}
    for (length, room), places in groups.items():
        places.sort(key=lambda place: expected_lengths[place])
        for start in range(0, len(places), BATCH):
            batch = places[start : start + BATCH]
            found = _decode_batch(params, [prompts[place] for place in batch], length, room, list(ends))
            outputs |= dict(zip(batch, found))
    return [outputs[place] for place in range(len(prompts))]
