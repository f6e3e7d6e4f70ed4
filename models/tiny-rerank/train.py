"""Trains the cross-encoder, beginning with the weights of tiny-embed, and writes it to a folder.

usage: PYTHONPATH=../training python train.py EMBED_DIR OUT_DIR

The loss is the mean of two: each document is right or wrong (cross-entropy of the sigmoid), and the right one is first
(cross-entropy of the softmax over the documents of a question).
"""

import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

import bert
import training
from batches import Inputs, encode
from groups import draw_group

SEED = 7
STEPS = 800
QUESTIONS = 40  # of a batch
DOCUMENTS = 4  # of a question
BATCHES_AT_A_TIME = 8


def with_classifier(params: bert.Params, seed: int) -> bert.Params:
    rng = np.random.default_rng(seed)
    hidden = bert.SHAPE.hidden
    head = {
        "pooler": rng.normal(size=(hidden, hidden)) / np.sqrt(hidden),
        "pooler.bias": np.zeros(hidden),
        "classifier": rng.normal(size=(hidden, 1)) / np.sqrt(hidden),
        "classifier.bias": np.zeros(1),
    }
    return {**params, **{name: jnp.asarray(value, jnp.float32) for name, value in head.items()}}


def draw_batches(tokenizer: Tokenizer) -> Iterator[tuple[Inputs, np.ndarray]]:
    """Questions of similar length are in the same batch, because padding costs as much time as text."""
    rng = random.Random(SEED)
    while True:
        groups = [draw_group(rng, DOCUMENTS, held=False) for _ in range(QUESTIONS * BATCHES_AT_A_TIME)]
        groups.sort(key=lambda group: max(len(document) for document in group.documents))
        starts = list(range(0, len(groups), QUESTIONS))
        rng.shuffle(starts)
        for start in starts:
            batch = groups[start : start + QUESTIONS]
            pairs = [pair for group in batch for pair in group.pairs]
            yield encode(tokenizer, pairs), np.array([group.right for group in batch])


def loss(params: bert.Params, inputs: Inputs, right: jax.Array) -> jax.Array:
    logits = bert.classified(params, bert.forward(params, *inputs)).reshape(-1, DOCUMENTS)
    is_right = jax.nn.one_hot(right, DOCUMENTS)
    each = jax.nn.softplus(jnp.where(is_right > 0, -logits, logits)).mean()
    first = (jax.nn.logsumexp(logits, axis=1) - (logits * is_right).sum(axis=1)).mean()
    return (each + first) / 2


def main() -> None:
    embed, out = (Path(argument) for argument in sys.argv[1:3])
    out.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(embed / "tokenizer.json", out / "tokenizer.json")
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    params = with_classifier(training.load(embed / "model.safetensors"), SEED)
    training.train(params, loss, draw_batches(tokenizer), STEPS, out / "model.safetensors")


if __name__ == "__main__":
    main()
