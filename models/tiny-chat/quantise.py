"""The pack's quantisation (models/QUANTISATION.md), computed in floats, with straight-through gradients.

`quantised(params)` are the values that the compiled kernels multiply with, except for f32 rounding.
"""

import jax
import jax.numpy as jnp

GROUP = 32  # values along the input dimension that share a scale
SCALE_STEPS = 255  # a scale is an 8-bit integer times one f32 per output column (per token in the embedding)

Params = dict[str, jax.Array]


def round_up_halves(x: jax.Array) -> jax.Array:
    return jnp.floor(x + 0.5)


def one_where_zero(x: jax.Array) -> jax.Array:
    return jnp.where(x == 0, 1.0, x)


def quantised_linear(weight: jax.Array) -> jax.Array:
    """4 bits, with a scale and an offset for each group; weight [k, n], groups along k."""
    k, n = weight.shape
    groups = weight.reshape(k // GROUP, GROUP, n)
    low, high = groups.min(axis=1), groups.max(axis=1)  # [k / GROUP, n]
    step, offset = (high - low) / 15, jnp.maximum(-low, 0)
    step_unit = one_where_zero(step.max(axis=0) / SCALE_STEPS)  # [n]
    offset_unit = one_where_zero(offset.max(axis=0) / SCALE_STEPS)
    step = step_unit * jnp.clip(round_up_halves(step / step_unit), 1, SCALE_STEPS)
    offset = offset_unit * jnp.clip(round_up_halves(offset / offset_unit), 0, SCALE_STEPS)
    steps = jnp.clip(round_up_halves((groups + offset[:, None]) / step[:, None]), 0, 15)
    return (step[:, None] * steps - offset[:, None]).reshape(k, n)


def quantised_embedding(weight: jax.Array) -> jax.Array:
    """6 bits around zero, with a scale for each group; weight [v, k], groups along k."""
    v, k = weight.shape
    groups = weight.reshape(v, k // GROUP, GROUP)
    step = jnp.abs(groups).max(axis=2) / 31  # [v, k / GROUP]
    step_unit = one_where_zero(step.max(axis=1, keepdims=True) / SCALE_STEPS)  # [v, 1]
    step = step_unit * jnp.clip(round_up_halves(step / step_unit), 1, SCALE_STEPS)
    steps = jnp.clip(round_up_halves(groups / step[:, :, None]), -31, 31)
    return (step[:, :, None] * steps).reshape(v, k)


def quantised(params: Params) -> Params:
    """Every matrix as the kernels see it. Gradients pass through unchanged."""

    def through(name: str, value: jax.Array) -> jax.Array:
        if value.ndim != 2:
            return value
        coarse = quantised_embedding(value) if name == "embed_tokens" else quantised_linear(value)
        return value + jax.lax.stop_gradient(coarse - value)

    return {name: through(name, value) for name, value in params.items()}
