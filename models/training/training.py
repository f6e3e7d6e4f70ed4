"""A training run: steps of the optimiser, its rates, and the weights on disk."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from safetensors.numpy import load_file, save_file

import optimiser
from bert import Params

WARM_UP = 30  # steps
REPORT_EVERY = 50  # steps
SAVE_EVERY = 250  # steps
Loss = Callable[..., jax.Array]  # of the parameters and a batch


def rate(step: int, steps: int) -> float:
    """The fraction of the peak rates: rises in the first steps, and falls linearly to 0 after a third of all steps."""
    return min(1.0, (step + 1) / WARM_UP, 1.5 * (1 - step / steps))


def train(params: Params, loss: Loss, batches: Iterator[tuple[Any, ...]], steps: int, out: Path) -> Params:
    gradient = jax.jit(jax.value_and_grad(loss))
    update = jax.jit(optimiser.update, donate_argnums=(0, 1))
    state = optimiser.initial_state(params)
    losses: list[jax.Array] = []
    started = time.monotonic()
    for step, batch in zip(range(steps), batches, strict=False):
        value, gradients = gradient(params, *batch)
        params, state = update(params, state, gradients, rate(step, steps), float(step + 1))
        losses.append(value)
        if (step + 1) % REPORT_EVERY == 0:
            print(f"{time.monotonic() - started:7.1f} s  step {step + 1}: {jnp.stack(losses).mean():.4f}", flush=True)
            losses = []
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            save(params, out)
    return params


def save(params: Params, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file({name: jax.device_get(value) for name, value in params.items()}, path)


def load(path: Path) -> Params:
    return {name: jnp.asarray(value) for name, value in load_file(path).items()}
