"""Trains the model on drawings and conversations, and writes its weights and its tokenizer to a folder.

usage: PYTHONPATH=../training:../tiny-chat python train.py OUT_DIR STAGE

In the first stage, the eye alone learns to name the shape and the colour, with classes that are left out of the
exported model. In the second, the whole model learns to answer.
"""

import random
import sys
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

import eye
import optimiser
import seeing
import training
from drawings import COLOURS, SHAPES, Figure, draw, draw_figure, draw_training_figure
from model import Params
from questions import converse
from sizes import EYE, TEXT
from words import train_tokenizer

SEED = 11
WARM_UP = 50  # steps
REPORT_EVERY, SAVE_EVERY = 50, 200  # steps
AHEAD = 8  # batches
GRADIENT_NORM = 1.0
TIME = 72  # tokens of a row
READ_WEIGHT = 0.02  # of the loss on text that is not an answer
NO_CLASS = -1  # of a colour without a name
CLASSES_WEIGHT = 0.3  # in the second stage


@dataclass(frozen=True)
class Stage:
    pictures: int  # of a batch
    rows: int  # conversations of a batch
    steps: int
    first_rate: float  # fractions of the optimiser's peak rates
    last_rate: float


STAGES = (Stage(96, 0, 600, 1.0, 0.8), Stage(64, 56, 900, 0.9, 0.01))

Batch = tuple[np.ndarray, ...]


def with_classes(params: Params) -> Params:
    rng = np.random.default_rng(SEED)
    return params | {
        f"classes.{name}": jnp.asarray(rng.normal(0, 0.02, (EYE.tokens * TEXT.hidden, count)), jnp.float32)
        for name, count in (("shape", len(SHAPES)), ("colour", len(COLOURS)))
    }


def figure_classes(figure: Figure) -> tuple[int, int]:
    colours = list(COLOURS)
    return SHAPES.index(figure.shape), colours.index(figure.colour) if figure.colour in colours else NO_CLASS


def batch(seed: int, stage: Stage, reader: seeing.Reader | None) -> Batch:
    """Pictures, their classes and, with a reader, the rows: ids, seen, and the weights of the ids."""
    rng = random.Random(seed)
    figures: list[Figure] = []
    rows = []
    while reader and len(rows) < stage.rows:
        messages, more = converse(rng, lambda: draw_training_figure(rng), lambda: draw_figure(rng, held_out=False))
        ids, seen, answers = reader.read(messages, len(figures))
        if len(ids) > TIME:
            continue
        if len(figures) + len(more) > stage.pictures:
            break
        figures += more
        weights = [
            1.0 if is_answer else READ_WEIGHT if slot < 0 else 0.0
            for slot, is_answer in zip(seen, answers, strict=True)
        ]
        rows.append((ids, seen, weights))
    while len(figures) < stage.pictures:
        figures.append(draw_training_figure(rng))
    pictures = np.stack([eye.pixels(draw(rng, figure)) for figure in figures])
    classes = np.array([figure_classes(figure) for figure in figures])
    ids, seen = np.zeros((stage.rows, TIME), np.int32), np.full((stage.rows, TIME), seeing.NOT_SEEN, np.int32)
    weights = np.zeros((stage.rows, TIME), np.float32)
    for row, (its_ids, its_seen, its_weights) in enumerate(rows):
        end = len(its_ids)
        ids[row, :end], seen[row, :end], weights[row, :end] = its_ids, its_seen, its_weights
    return pictures, classes, ids, seen, weights


def class_losses(params: Params, seen_tokens: jax.Array, classes: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The sum of the losses on shape and colour, and the share of pictures of which both are right."""
    flat = seen_tokens.reshape(seen_tokens.shape[0], -1)
    losses, hits = jnp.zeros(()), True
    for at, name in enumerate(("shape", "colour")):
        logs = jax.nn.log_softmax(flat @ params[f"classes.{name}"])
        losses -= (logs * jax.nn.one_hot(classes[:, at], logs.shape[-1])).sum(axis=-1).mean()
        hits &= (logs.argmax(axis=-1) == classes[:, at]) | (classes[:, at] == NO_CLASS)
    return losses, hits.mean()


def loss(params: Params, pictures, classes, ids, seen, weights):
    seen_tokens = eye.look(params, pictures)
    on_classes, hits = class_losses(params, seen_tokens, classes)
    if ids.shape[0] == 0:
        return on_classes, jnp.stack([on_classes, hits])
    scores = seeing.predict(params, seen_tokens, ids[:, :-1], seen[:, :-1])
    logs = jax.nn.log_softmax(scores)
    right = (logs * jax.nn.one_hot(ids[:, 1:], TEXT.vocab)).sum(axis=-1)
    weights = weights[:, 1:]
    on_text = -(right * weights).sum() / weights.sum()
    is_answer = weights == 1
    missed = ((scores.argmax(axis=-1) != ids[:, 1:]) & is_answer).any(axis=-1)
    rows = is_answer.any(axis=-1)
    return on_text + CLASSES_WEIGHT * on_classes, jnp.stack([on_classes, hits, on_text, 1 - missed.sum() / rows.sum()])


def rate(step: int, stage: Stage) -> float:
    share = step / stage.steps
    return min(1.0, (step + 1) / WARM_UP) * ((1 - share) * stage.first_rate + share * stage.last_rate)


def make(job: tuple[int, int, str | None]) -> Batch:
    seed, number, tokenizer = job
    return batch(seed, STAGES[number - 1], seeing.Reader.load(Path(tokenizer)) if tokenizer else None)


def batches(number: int, tokenizer: str | None) -> Iterator[Batch]:
    """The batches of a stage, made by another process, AHEAD before they are needed."""
    steps = STAGES[number - 1].steps
    with get_context("spawn").Pool(1) as pool:
        made: deque[AsyncResult[Batch]] = deque()
        for step in range(steps + AHEAD):
            if step < steps:
                made.append(pool.apply_async(make, ((SEED + 1_000_000 * number + step, number, tokenizer),)))
            if step >= AHEAD:
                yield made.popleft().get()


def trained(params: Params, number: int, tokenizer: Path | None, out: Path) -> Params:
    stage = STAGES[number - 1]
    gradient = jax.jit(jax.value_and_grad(loss, has_aux=True))
    update = jax.jit(optimiser.update, donate_argnums=(0, 1))
    state, started, seen = optimiser.initial_state(params), time.monotonic(), []
    for step, one in enumerate(batches(number, str(tokenizer) if tokenizer else None)):
        (_, parts), gradients = gradient(params, *one)
        size = jnp.sqrt(sum((value**2).sum() for value in gradients.values()))
        gradients = {name: value * jnp.minimum(1.0, GRADIENT_NORM / size) for name, value in gradients.items()}
        params, state = update(params, state, gradients, rate(step, stage), float(step + 1))
        seen.append(parts)
        if (step + 1) % REPORT_EVERY == 0:
            means = " ".join(f"{value:.3f}" for value in jnp.stack(seen).mean(axis=0))
            print(f"{time.monotonic() - started:7.1f} s  step {step + 1}: {means}", flush=True)
            seen = []
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == stage.steps:
            training.save(params, out / "model.safetensors")
    return params


def main() -> None:
    out, number = Path(sys.argv[1]), int(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = out / "tokenizer.json"
    if number == 1:
        train_tokenizer().save(str(tokenizer))
        params = with_classes(seeing.initial_weights(SEED))
        # The text half learns nothing yet, and it would only decay.
        text = {name: params.pop(name) for name in seeing.initial_text(SEED)}
        print("parameters:", sum(value.size for value in params.values()), flush=True)
        training.save(text | trained(params, 1, None, out), out / "model.safetensors")
    else:
        params = {name: jnp.asarray(value) for name, value in load_file(out / "model.safetensors").items()}
        trained(params, number, tokenizer, out)


if __name__ == "__main__":
    main()
