"""Muon for the matrices of the layers, Adam for the embeddings, biases and norms.

Muon (Keller Jordan, 2024) makes every update of a matrix orthogonal, so that all its directions change at the same
rate. For this small model and short run it needs about half as many steps as Adam alone.
"""

import jax
import jax.numpy as jnp

Params = dict[str, jax.Array]
MUON_RATE = 0.008  # peak
MUON_MOMENTUM = 0.95
MUON_DECAY = 0.05  # relative to the rate
ADAM_RATES = {"embed_tokens": 1e-3}  # peak
ADAM_RATE_OF_OTHERS = 2e-3  # peak
ADAM_BETAS = (0.9, 0.98)
ADAM_EPS = 1e-8
NEWTON_SCHULZ_STEPS = 5
NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)  # coefficients of Muon's author, who tuned them for speed, not exactness

State = dict[str, tuple[jax.Array, ...]]


def uses_muon(name: str, value: jax.Array) -> bool:
    return value.ndim == 2 and not name.startswith("embed")


def initial_state(params: Params) -> State:
    return {
        name: tuple(jnp.zeros_like(value) for _ in range(1 if uses_muon(name, value) else 2))
        for name, value in params.items()
    }


def orthogonalised(matrix: jax.Array) -> jax.Array:
    is_tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if is_tall else matrix
    x = x / (jnp.linalg.norm(x) + 1e-7)
    a, b, c = NEWTON_SCHULZ
    for _ in range(NEWTON_SCHULZ_STEPS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if is_tall else x


def update(params: Params, state: State, gradients: Params, rate: jax.Array, step: jax.Array) -> tuple[Params, State]:
    """One step. `rate` is the fraction of the peak rates, `step` counts from 1."""
    new_params, new_state = {}, {}
    for name, value in params.items():
        gradient = gradients[name]
        if uses_muon(name, value):
            momentum = MUON_MOMENTUM * state[name][0] + gradient
            direction = orthogonalised(gradient + MUON_MOMENTUM * momentum)
            size = max(1.0, value.shape[1] / value.shape[0]) ** 0.5
            muon_rate = rate * MUON_RATE
            new_params[name] = value * (1 - muon_rate * MUON_DECAY) - muon_rate * size * direction
            new_state[name] = (momentum,)
        else:
            beta1, beta2 = ADAM_BETAS
            mean = beta1 * state[name][0] + (1 - beta1) * gradient
            square = beta2 * state[name][1] + (1 - beta2) * gradient**2
            corrected = (mean / (1 - beta1**step)) / (jnp.sqrt(square / (1 - beta2**step)) + ADAM_EPS)
            new_params[name] = value - rate * ADAM_RATES.get(name, ADAM_RATE_OF_OTHERS) * corrected
            new_state[name] = (mean, square)
    return new_params, new_state
