"""Trains the tokenizer and the model in four stages, and writes both to a folder.

usage: PYTHONPATH=../training python train.py OUT_DIR [--from TRAINED_DIR [--stage N | --tongue NAME [--more STEPS]]]
--from: only stage N and later, beginning with the weights in TRAINED_DIR
--tongue: only the stage in which the trained model learns another tongue (corpus/tongues.py)
--more: trains weights that have had this stage for more steps, at a lower rate, on other chats

Training is limited by steps, not by time, and its seeds are fixed. So it gives the same model each time, apart from the
rounding of the machine's arithmetic. The later stages and the end of the first stage train on quantised weights.
"""

import argparse
import random
import time
from dataclasses import dataclass
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from tokenizers import Tokenizer

import checkpoint
import data
import model
import optimiser
import wiring
from corpus.tongues import HERMES, TONGUES, Tongue
from quantise import Params
from tokenizer import rename, train_tokenizer

SEED = 11
TOKENIZER_CHATS = 6000
CHATS_AT_A_TIME = 12000
COPY_STEPS = 60  # steps on repeated random tokens, before the chats
REPEAT_EVERY = 25  # number of chat steps after which there is another step on repeated tokens
WARM_UP = 20  # steps
SAVE_EVERY = 120  # steps
REPORT_EVERY = 40  # steps


@dataclass(frozen=True)
class Stage:
    """A part of the training in which the learning rate falls to 0."""

    steps: int
    seed: int
    copy_steps: int
    peak: float  # fraction of the optimiser's rates
    fall_from: float  # fraction of the stage after which the rate falls linearly to 0
    quantise_from: float  # fraction of the stage after which the loss is that of the quantised weights

    def rate(self, step: int) -> float:
        fall = (1 - step / self.steps) / (1 - self.fall_from)
        return self.peak * min(1.0, fall) * min(1.0, (step + 1) / WARM_UP)


STAGES = (
    Stage(2000, seed=SEED, copy_steps=COPY_STEPS, peak=1.0, fall_from=0.4, quantise_from=0.7),
    Stage(900, seed=SEED + 1000, copy_steps=0, peak=0.5, fall_from=0.0, quantise_from=0.0),
    Stage(1200, seed=SEED + 2000, copy_steps=0, peak=0.5, fall_from=0.0, quantise_from=0.0),
    Stage(1600, seed=SEED + 3000, copy_steps=0, peak=0.6, fall_from=0.0, quantise_from=0.0),
)


def tongue_stage(tongue: Tongue, more: int | None = None) -> Stage:
    """The stage in which the trained model learns another tongue, or more steps after it."""
    if more is not None:
        return Stage(more, seed=SEED + 5000, copy_steps=0, peak=0.5, fall_from=0.0, quantise_from=0.0)
    return Stage(tongue.steps, seed=SEED + 4000, copy_steps=0, peak=0.6, fall_from=0.0, quantise_from=0.0)


class Trainer:
    """The weights, the optimiser's state and the compiled steps."""

    def __init__(self, params: Params) -> None:
        self.params = params
        self.state = optimiser.initial_state(params)
        self.steps = 0
        self.tokens = 0
        self.losses: list[jax.Array] = []
        self._gradient = jax.jit(jax.value_and_grad(model.loss), static_argnums=(3,))
        self._update = jax.jit(optimiser.update, donate_argnums=(0, 1))

    def step(self, batch: data.Batch, rate: float, quantise: bool, record: bool = True) -> None:
        ids, weights = batch
        loss, gradients = self._gradient(self.params, ids, weights, quantise)
        self.steps += 1
        self.params, self.state = self._update(self.params, self.state, gradients, rate, float(self.steps))
        self.tokens += ids.size
        if record:
            self.losses.append(loss)

    def mean_loss(self) -> float:
        """Mean of the losses since the last call."""
        mean = float(jnp.stack(self.losses).mean())
        self.losses = []
        return mean


def train(tokenizer: Tokenizer, params: Params, out: Path, stage: Stage, tongue: Tongue = HERMES) -> Params:
    trainer = Trainer(params)
    rng = random.Random(stage.seed)
    started = time.monotonic()
    for step in range(stage.copy_steps):
        trainer.step(data.repeats(rng), min(1.0, (step + 1) / WARM_UP), quantise=False)
    if stage.copy_steps:
        print(f"{time.monotonic() - started:7.1f} s  copying: loss {trainer.mean_loss():.4f}", flush=True)
    step, portion = 0, 0
    while step < stage.steps:
        for batch in data.chat_batches(tokenizer, stage.seed + portion, CHATS_AT_A_TIME, tongue):
            rate = stage.rate(step)
            quantise = step >= stage.quantise_from * stage.steps
            trainer.step(batch, rate, quantise)
            step += 1
            if step % REPEAT_EVERY == 0:
                trainer.step(data.repeats(rng), rate, quantise, record=False)
            if step % REPORT_EVERY == 0:
                seconds = time.monotonic() - started
                speed = trainer.tokens / seconds
                loss = trainer.mean_loss()
                print(f"{seconds:7.1f} s  step {step}: loss {loss:.4f}, {speed:.0f} tokens/s", flush=True)
            if step % SAVE_EVERY == 0 or step == stage.steps:
                checkpoint.save(trainer.params, out / "model.safetensors")
            if step == stage.steps:
                break
        portion += 1
    return trainer.params


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--from", dest="trained", type=Path, help="the folder that the previous stage wrote")
    parser.add_argument("--stage", type=int, default=2, help="the first stage to run, counted from 1")
    parser.add_argument("--tongue", choices=[name for name in TONGUES if name != HERMES.name])
    parser.add_argument("--more", type=int, help="how many steps more in this tongue")
    options = parser.parse_args()
    tongue = TONGUES[options.tongue] if options.tongue else HERMES
    options.out.mkdir(parents=True, exist_ok=True)
    if options.trained:
        tokenizer = rename(Tokenizer.from_file(str(options.trained / "tokenizer.json")), tongue.renamed)
        weights = checkpoint.load(options.trained / "model.safetensors")
        stages = (tongue_stage(tongue, options.more),) if options.tongue else STAGES[options.stage - 1 :]
    else:
        texts = ("".join(part.text for part in chat) for chat in data.chats(SEED, TOKENIZER_CHATS))
        tokenizer = train_tokenizer(texts)
        weights = wiring.initial_weights(SEED)
        stages = STAGES
    tokenizer.save(str(options.out / "tokenizer.json"))
    params = {name: jnp.asarray(value) for name, value in weights.items()}
    print("parameters:", sum(np.size(value) for value in params.values()), flush=True)
    for stage in stages:
        print(stage, flush=True)
        params = train(tokenizer, params, options.out, stage, tongue)


if __name__ == "__main__":
    main()
