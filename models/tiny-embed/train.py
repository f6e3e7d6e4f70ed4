"""Trains the tokenizer and the sentence embedder, and writes both to a folder.

usage: PYTHONPATH=../training python train.py OUT_DIR

The loss is InfoNCE: among the texts of a batch, each text must find the other text of its fact. It is the mean over the
Matryoshka dimensions. Half of the facts of a batch differ from another one in only one word.
"""

import random
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
from facts import DOCUMENT_PROMPT, QUERY_PROMPT, Fact, draw_fact, draw_paraphrase, draw_passage, neighbour, say
from word_pieces import train_tokenizer

SEED = 5
STEPS = 600
FACTS = 64  # of a batch, without their neighbours
DIMENSIONS = (32, 64, 128)
SCALE = 20.0  # of the cosines, 1 / temperature


def draw_pair(rng: random.Random, fact: Fact) -> tuple[str, str, frozenset[str]]:
    """Two texts of the fact, and the slots that the first one mentions."""
    slots = frozenset(name for name, _ in fact.frame.slots)
    sort = rng.random()
    if sort < 0.4:
        return *draw_paraphrase(rng, fact, held=False), slots
    question = rng.choice(fact.frame.questions)
    query, passage = say(rng, question, fact), draw_passage(rng, fact)
    if sort < 0.85:
        query, passage = QUERY_PROMPT + query, DOCUMENT_PROMPT + passage
    return query, passage, question.slots


def draw_batch(rng: random.Random, tokenizer: Tokenizer) -> tuple[Inputs, Inputs, np.ndarray]:
    """The first and the second texts, and which second texts are right for another first text: [first, second]."""
    facts = [draw_fact(rng, held=False) for _ in range(FACTS)]
    facts += [neighbour(rng, fact, frozenset(name for name, _ in fact.frame.slots), held=False) for fact in facts]
    firsts, seconds, slots = zip(*[draw_pair(rng, fact) for fact in facts], strict=True)
    mentioned = zip(facts, slots, strict=True)
    also_right = np.array([[fact.agrees(other, its_slots) for other in facts] for fact, its_slots in mentioned])
    np.fill_diagonal(also_right, False)
    return encode(tokenizer, firsts), encode(tokenizer, seconds), also_right


def draw_batches(tokenizer: Tokenizer) -> Iterator[tuple[Inputs, Inputs, np.ndarray]]:
    rng = random.Random(SEED)
    while True:
        yield draw_batch(rng, tokenizer)


def loss(params: bert.Params, firsts: Inputs, seconds: Inputs, also_right: jax.Array) -> jax.Array:
    pooled = [bert.mean_pooled(bert.forward(params, *inputs), inputs[1]) for inputs in (firsts, seconds)]
    losses = []
    for dimensions in DIMENSIONS:
        first, second = (x[:, :dimensions] / jnp.linalg.norm(x[:, :dimensions], axis=-1, keepdims=True) for x in pooled)
        scores = jnp.where(also_right, bert.MASKED, SCALE * first @ second.T)
        right = jnp.diagonal(scores)
        for axis in (0, 1):
            losses.append((jax.nn.logsumexp(scores, axis=axis) - right).mean())
    return jnp.stack(losses).mean()


def main() -> None:
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = train_tokenizer()
    tokenizer.save(str(out / "tokenizer.json"))
    params = bert.initial_weights(SEED)
    print("parameters:", sum(value.size for value in params.values()), flush=True)
    training.train(params, loss, draw_batches(tokenizer), STEPS, out / "model.safetensors")


if __name__ == "__main__":
    main()
