"""Kernels of the paged KV cache that move or rotate vectors, with the signatures that the TVM runtime calls.

Pages are [pages, 2 (keys, values), kv_heads, PAGE_SIZE, head_dim] f32. The ``elem_offset`` symbols are there
because views into the runtime's auxiliary buffers start at an element offset.
"""

import math

from tvm import tirx
from tvm.script import tirx as T

from .bits import exact
from .shape import PAGE_SIZE, Shape

LANES = 32
HALF_PI = math.pi / 2
HALF_PI_HIGH = 1.5703125  # has few bits, so that quarters * HALF_PI_HIGH is exact
HALF_PI_MIDDLE = 4.837512969970703e-4  # the next bits of pi / 2
HALF_PI_LOW = HALF_PI - HALF_PI_HIGH - HALF_PI_MIDDLE


# Sine and cosine to the accuracy of f32, for angles up to some thousands. WGSL's own functions may have an error of
# 2**-11, and even that is guaranteed only near zero. With SwiftShader's, the logprobs of a long prompt differ in the
# second digit.


def quarter_turns(angle):
    """The nearest whole number of quarter turns in an angle, as f32."""
    return tirx.round(angle * exact(1 / HALF_PI))


def without_quarters(angle, quarters):
    """The angle without its quarter turns, within pi / 4 of zero."""
    return ((angle - quarters * exact(HALF_PI_HIGH)) - quarters * exact(HALF_PI_MIDDLE)) - quarters * exact(HALF_PI_LOW)


def small_sine(x, square):
    """sin(x) near zero; ``square`` is x * x."""
    return x + x * square * _polynomial(square, [-1 / 6, 1 / 120, -1 / 5040, 1 / 362880])


def small_cosine(square):
    """cos(x) near zero; ``square`` is x * x."""
    return exact(1.0) + square * _polynomial(square, [-1 / 2, 1 / 24, -1 / 720, 1 / 40320, -1 / 3628800])


def turned_by(quadrant, here, next_one):
    """The value after ``quadrant`` quarter turns: one turns ``here`` into ``next_one``, two into ``-here``."""
    value = tirx.Select(quadrant % 2 == 1, next_one, here)
    return tirx.Select(quadrant >= 2, -value, value)


def _polynomial(x, coefficients: list[float]):
    value = exact(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + exact(coefficient)
    return value


def frequency(shape: Shape, d):
    """theta ** (-2 d / dim), as a product of one power for each bit of d: exp2 is too inaccurate on some adapters."""
    value = exact(1.0)
    for bit in range((shape.head_dim // 2 - 1).bit_length()):
        factor = shape.rope_theta ** (-2.0 * 2**bit / shape.head_dim)
        value = value * tirx.Select((d & tirx.const(1 << bit, "int32")) != 0, exact(factor), exact(1.0))
    return value


def split_rotary(shape: Shape):
    """Splits fused rows into q, k and v and rotates q and k (the two halves of a head, not interleaved).

    A thread handles one pair (d, d + head_dim / 2) of one head of one token.
    """
    heads, kv_heads, dim = shape.heads, shape.kv_heads, shape.head_dim
    half, fused = dim // 2, heads + 2 * kv_heads

    @T.prim_func(s_tir=True)
    def split_rotary(qkv_handle: T.handle, position_handle: T.handle, q_handle: T.handle, k_handle: T.handle,
                     v_handle: T.handle, apply_rope: T.int64):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        tokens = T.int32()
        offset = T.int32()
        qkv = T.match_buffer(qkv_handle, (tokens, fused, dim), "float32")
        positions = T.match_buffer(position_handle, (tokens,), "int32", elem_offset=offset)
        q = T.match_buffer(q_handle, (tokens, heads, dim), "float32")
        k = T.match_buffer(k_handle, (tokens, kv_heads, dim), "float32")
        v = T.match_buffer(v_handle, (tokens, kv_heads, dim), "float32")
        for block in T.thread_binding((tokens * (fused * half) + LANES - 1) // LANES, "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("rotary"):
                    T.reads()
                    T.writes()
                    angle = T.sblock_alloc_buffer((2,), "float32", scope="local")  # remainder, quarter turns
                    near_zero = T.sblock_alloc_buffer((2,), "float32", scope="local")  # sine, cosine of the remainder
                    turned = T.sblock_alloc_buffer((2,), "float32", scope="local")  # sine, cosine of the angle
                    if block * LANES + lane < tokens * (fused * half):
                        t: T.let[T.int32] = (block * LANES + lane) // (fused * half)
                        h: T.let[T.int32] = (block * LANES + lane) // half % fused
                        d: T.let[T.int32] = (block * LANES + lane) % half
                        a: T.let[T.float32] = qkv[t, h, d]
                        b: T.let[T.float32] = qkv[t, h, d + half]
                        # in arrays, because every use of a T.let repeats its whole expression
                        angle[0] = T.Select(apply_rope > 0, T.Cast("float32", positions[t]) * frequency(shape, d), T.float32(0))
                        angle[1] = quarter_turns(angle[0])
                        angle[0] = without_quarters(angle[0], angle[1])
                        near_zero[0] = small_sine(angle[0], angle[0] * angle[0])
                        near_zero[1] = small_cosine(angle[0] * angle[0])
                        turned[0] = turned_by(T.Cast("int32", angle[1]) & 3, near_zero[0], near_zero[1])
                        turned[1] = turned_by(T.Cast("int32", angle[1]) & 3, near_zero[1], -near_zero[0])
                        if h < heads:
                            q[t, h, d] = a * turned[1] - b * turned[0]
                            q[t, h, d + half] = b * turned[1] + a * turned[0]
                        elif h < heads + kv_heads:
                            k[t, h - heads, d] = a * turned[1] - b * turned[0]
                            k[t, h - heads, d + half] = b * turned[1] + a * turned[0]
                        else:
                            v[t, h - heads - kv_heads, d] = a
                            v[t, h - heads - kv_heads, d + half] = b

    return split_rotary.without_attr("global_symbol")


def append(shape: Shape):
    """Writes new keys and values to their places in the pages. Those with place -1 are not kept."""
    kv_heads, dim = shape.kv_heads, shape.head_dim

    @T.prim_func(s_tir=True)
    def append_kv(pages_handle: T.handle, k_handle: T.handle, v_handle: T.handle, place_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        tokens = T.int32()
        num_pages = T.int32()
        pages_offset = T.int64()
        offset = T.int32()
        pages = T.match_buffer(pages_handle, (num_pages, 2, kv_heads, PAGE_SIZE, dim), "float32", elem_offset=pages_offset)
        k = T.match_buffer(k_handle, (tokens, kv_heads, dim), "float32")
        v = T.match_buffer(v_handle, (tokens, kv_heads, dim), "float32")
        places = T.match_buffer(place_handle, (tokens,), "int32", elem_offset=offset)
        for block in T.thread_binding((tokens * (kv_heads * dim) + LANES - 1) // LANES, "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("append"):
                    T.reads()
                    T.writes()
                    if block * LANES + lane < tokens * (kv_heads * dim):
                        t: T.let[T.int32] = (block * LANES + lane) // (kv_heads * dim)
                        h: T.let[T.int32] = (block * LANES + lane) // dim % kv_heads
                        d: T.let[T.int32] = (block * LANES + lane) % dim
                        place: T.let[T.int32] = places[t]
                        if place >= 0:
                            pages[place // PAGE_SIZE, 0, h, place % PAGE_SIZE, d] = k[t, h, d]
                            pages[place // PAGE_SIZE, 1, h, place % PAGE_SIZE, d] = v[t, h, d]

    return append_kv.without_attr("global_symbol")
