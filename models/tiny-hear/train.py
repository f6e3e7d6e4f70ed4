"""Trains the recogniser on the recordings, and writes its weights to a folder.

usage: PYTHONPATH=../training python train.py SPEECH_DIR OUT_DIR STAGE

Three losses: on the tokens, on the word that each 20 ms of the encoder's output are part of and the words on both sides
of it (with classes that are left out of the exported model), and on two heads of each cross-attention, which must look
where the next token is heard and where the token itself is.

OUT_DIR gets the weights of the last step, `last.safetensors`, where the next stage goes on, and their mean over about
the last 200 steps, `model.safetensors`, which errs less.
"""

import queue
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

import clips
import optimiser
import tokens
import training
import whisper
from windows import FRAME_CLASSES, IGNORED, MIDDLE, PLACES, SHORT, WHOLE, Kind, Windows

SEED = 7


@dataclass(frozen=True)
class Stage:
    kind: Kind
    batch: int
    steps: int
    first_rate: float  # fractions of the optimiser's peak rates
    last_rate: float


SOURCES = ("kokoro", "espeak")
STAGES = (
    Stage(SHORT, 32, 50, 1.0, 1.0),
    Stage(SHORT, 20, 700, 2.0, 1.7),
    Stage(MIDDLE, 16, 500, 1.6, 1.2),
    Stage(WHOLE, 4, 1500, 1.2, 0.5),
    Stage(WHOLE, 4, 3000, 0.5, 0.5),
    Stage(WHOLE, 4, 600, 0.5, 0.0),
)
WARM_UP = 20  # steps
TIMESTAMP_WEIGHT = 0.3
NEAR = np.array([0.1, 0.2, 0.4, 0.2, 0.1], np.float32)  # shares of the timestamps around the right one
FRAMES_WEIGHT, LOOK_WEIGHT = 0.5, 0.5
PLACE_WEIGHTS = (1.0, 0.3, 0.3)  # see PLACES
SAVE_EVERY, REPORT_EVERY = 50, 25
GRADIENT_NORM = 1.0
MEAN_KEEPS = 0.995  # of the mean of the weights, in each step


def token_loss(logits: jax.Array, targets: jax.Array, first_timestamp: int) -> tuple[jax.Array, jax.Array]:
    """The loss, and the share of text tokens that come first."""
    logs = jax.nn.log_softmax(logits)
    is_time = targets >= first_timestamp
    near = jnp.clip(targets[..., None] + jnp.arange(-2, 3), first_timestamp, logits.shape[-1] - 1)
    near = jnp.where(is_time[..., None], near, targets[..., None])
    right = (jnp.take_along_axis(logs, jnp.maximum(near, 0), axis=-1) * NEAR).sum(axis=-1)
    weights = jnp.where(targets == IGNORED, 0.0, jnp.where(is_time, TIMESTAMP_WEIGHT, 1.0))
    is_text = (weights == 1).astype(jnp.float32)
    hits = ((logits.argmax(axis=-1) == targets) * is_text).sum() / is_text.sum()
    return -(right * weights).sum() / weights.sum(), hits


def look_loss(shares: jax.Array, spans: jax.Array, positions: int) -> jax.Array:
    """shares [batch, head, time, position] of the first two heads, spans [batch, head, time, start and end]."""
    at = jnp.arange(positions)
    inside = (at >= jnp.floor(spans[..., :1])) & (at < jnp.ceil(spans[..., 1:]))
    mass = jnp.where(inside, shares[:, :2], 0.0).sum(axis=-1)
    is_heard = inside.any(axis=-1)
    return -(jnp.log(mass + 1e-5) * is_heard).sum() / jnp.maximum(is_heard.sum(), 1)


def frames_loss(logits: jax.Array, classes: jax.Array) -> jax.Array:
    """logits [batch, position, place and class], classes [batch, position, place]."""
    logs = jax.nn.log_softmax(logits.reshape(*classes.shape, len(FRAME_CLASSES)))
    right = jnp.take_along_axis(logs, classes[..., None], axis=-1)[..., 0]
    return -(right * jnp.asarray(PLACE_WEIGHTS)).sum(axis=-1).mean()


def loss(params: whisper.Params, first_timestamp: int, mels, positions, inputs, targets, spans, classes):
    encoded = whisper.encode(params, mels, positions)
    logits, crossed = whisper.decode(params, inputs, encoded)
    on_tokens, hits = token_loss(logits, targets, first_timestamp)
    on_frames = frames_loss(whisper.linear(params, "frames", encoded), classes)
    on_looks = sum(look_loss(shares, spans, mels.shape[1] // 2) for shares in crossed) / len(crossed)
    return on_tokens + FRAMES_WEIGHT * on_frames + LOOK_WEIGHT * on_looks, jnp.stack(
        [on_tokens, on_frames, on_looks, hits]
    )


def ahead(batches: Iterator, depth: int = 4) -> Iterator:
    """The batches, made by another thread."""
    made: queue.Queue = queue.Queue(depth)

    def make() -> None:
        for batch in batches:
            made.put(batch)

    threading.Thread(target=make, daemon=True).start()
    while True:
        yield made.get()


def rate(step: int, stage: Stage) -> float:
    share = step / stage.steps
    return min(1.0, (step + 1) / WARM_UP) * ((1 - share) * stage.first_rate + share * stage.last_rate)


def windows(speech: Path, split: str, ids: tokens.Ids, seed: int) -> Windows:
    found = []
    for source in SOURCES:
        files = sorted(speech.glob(f"{source}-{split}-*.json"))
        found.append([clip for file in files for clip in clips.load(file.with_suffix(""))])
    print(split, {source: len(clips) for source, clips in zip(SOURCES, found, strict=True)}, flush=True)
    return Windows([clips for clips in found if clips], ids, seed)


def mean_of(mean: whisper.Params, params: whisper.Params, step: int) -> whisper.Params:
    """The moving mean after one more step. It forgets the first steps faster."""
    kept = jnp.minimum(MEAN_KEEPS, (step + 1) / (step + 10))
    return {name: kept * mean[name] + (1 - kept) * value for name, value in params.items()}


def endless(source: Windows, stage: Stage) -> Iterator:
    while True:
        yield source.batch(stage.kind, stage.batch)


def main() -> None:
    speech, out, number = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    stage, ids = STAGES[number - 1], tokens.Ids(tokens.build())
    params = whisper.initial_weights(SEED, ids.timestamps, len(PLACES) * len(FRAME_CLASSES))
    if number > 1:
        params = training.load(out / "last.safetensors")
    print("parameters:", sum(value.size for value in params.values()), flush=True)
    source = windows(speech, "train", ids, SEED + number)
    check = windows(speech, "both", ids, SEED).batch(stage.kind, min(32, 2 * stage.batch))
    gradient = jax.jit(jax.value_and_grad(loss, has_aux=True), static_argnums=1)
    measure = jax.jit(lambda params, *batch: loss(params, ids.timestamps, *batch)[1])
    update = jax.jit(optimiser.update, donate_argnums=(0, 1))
    average = jax.jit(mean_of, donate_argnums=0)
    mean = {name: jnp.copy(value) for name, value in params.items()}
    state, started, seen = optimiser.initial_state(params), time.monotonic(), []
    for step, batch in zip(range(stage.steps), ahead(endless(source, stage)), strict=False):
        (_, parts), gradients = gradient(params, ids.timestamps, *batch)
        size = jnp.sqrt(sum((value**2).sum() for value in gradients.values()))
        gradients = {name: value * jnp.minimum(1.0, GRADIENT_NORM / size) for name, value in gradients.items()}
        params, state = update(params, state, gradients, rate(step, stage), float(step + 1))
        mean = average(mean, params, step)
        seen.append(parts)
        if (step + 1) % REPORT_EVERY == 0:
            means = " ".join(f"{value:.3f}" for value in jnp.stack(seen).mean(axis=0))
            print(f"{time.monotonic() - started:7.1f} s  step {step + 1}: {means}", flush=True)
            seen = []
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == stage.steps:
            training.save(params, out / "last.safetensors")
            training.save(mean, out / "model.safetensors")
            parts = " ".join(f"{value:.3f}" for value in measure(mean, *check))
            print(f"  held-out voices and orders: {parts}", flush=True)


if __name__ == "__main__":
    main()
