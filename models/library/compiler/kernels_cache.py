"""Kernels of the paged KV cache that move or rotate vectors, with the signatures the TVM runtime calls.

Pages are [pages, 2 (keys, values), kv_heads, PAGE_SIZE, head_dim] f32. Views into the runtime's auxiliary
buffers start at an element offset, hence the ``elem_offset`` symbols.
"""

import math

from tvm import tirx
from tvm.script import tirx as T

from .shape import PAGE_SIZE, Shape

LANES = 32
TWO_PI = 2 * math.pi
TWO_PI_HIGH = 6.28125  # few bits, so that turns * TWO_PI_HIGH is exact
TWO_PI_LOW = TWO_PI - TWO_PI_HIGH


def reduce_angle(angle):
    """``angle`` minus whole turns: WGSL promises the accuracy of sin and cos only near zero."""
    turns = tirx.round(angle * tirx.const(1 / TWO_PI, "float32"))
    return (angle - turns * tirx.const(TWO_PI_HIGH, "float32")) - turns * tirx.const(TWO_PI_LOW, "float32")


def split_rotary(shape: Shape):
    """Splits fused rows into q, k and v and rotates q and k (the two halves of a head, not interleaved).

    A thread handles one pair (d, d + head_dim / 2) of one head of one token.
    """
    heads, kv_heads, dim = shape.heads, shape.kv_heads, shape.head_dim
    half, fused = dim // 2, heads + 2 * kv_heads
    exponent = -2.0 * math.log2(shape.rope_theta) / dim

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
                    if block * LANES + lane < tokens * (fused * half):
                        t: T.let[T.int32] = (block * LANES + lane) // (fused * half)
                        h: T.let[T.int32] = (block * LANES + lane) // half % fused
                        d: T.let[T.int32] = (block * LANES + lane) % half
                        a: T.let[T.float32] = qkv[t, h, d]
                        b: T.let[T.float32] = qkv[t, h, d + half]
                        angle: T.let[T.float32] = reduce_angle(
                            T.Cast("float32", positions[t]) * T.exp2(T.Cast("float32", d) * T.float32(exponent)))
                        cosine: T.let[T.float32] = T.if_then_else(apply_rope > 0, T.cos(angle), T.float32(1))
                        sine: T.let[T.float32] = T.if_then_else(apply_rope > 0, T.sin(angle), T.float32(0))
                        if h < heads:
                            q[t, h, d] = a * cosine - b * sine
                            q[t, h, d + half] = b * cosine + a * sine
                        elif h < heads + kv_heads:
                            k[t, h - heads, d] = a * cosine - b * sine
                            k[t, h - heads, d + half] = b * cosine + a * sine
                        else:
                            v[t, h - heads - kv_heads, d] = a
                            v[t, h - heads - kv_heads, d + half] = b

    return split_rotary.without_attr("global_symbol")


def append(shape: Shape):
    """Writes new keys and values to their places in the pages; place -1 means: do not keep."""
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
