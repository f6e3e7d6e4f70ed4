"""4-bit linear layers ``y = x W``, fused with the operation before or after them.

W[k, n] is stored as models/QUANTISATION.md describes: ``q`` [k/8, n] u32, ``s`` [k/64, n] u32, ``c`` [2, n] f32.

The reasons for the shape of the kernels: On a software adapter, a workgroup barrier turns a kernel into
coroutines and costs more than all its arithmetic, so a thread owns whole output columns and shares nothing.
Neighbouring lanes own neighbouring columns, so weight loads are consecutive (coalesced on a GPU). A thread owns
several columns, so each load of ``x`` is used several times. RMS norm, SiLU gate and residual sum are fused,
because in small models the cost of decoding depends on the number of dispatches.
"""

from tvm import tirx
from tvm.script import tirx as T

from .bits import byte, exact, nibble, scaled, total
from .tiling import Tiling


def linear(k: int, n: int, *, eps: float | None, gated: bool, tiling: Tiling):
    """A kernel ``(x [1, S, k], extra, q, s, c) -> y [1, S, n]``; S is 1 if the tiling has one row.

    With ``eps``, ``x`` is RMS-normalised first, and ``extra`` is the norm's weight [k].
    Without, ``extra`` is a residual [1, S, n] that is added to the result.
    If ``gated``, W has 2n columns, gate then up, and y = silu(gate) * up.
    """
    kernel = _one_token if tiling.rows == 1 else _many_tokens
    return kernel(k, n, eps, gated, tiling).without_attr("global_symbol")


def _dot(values, word):
    """Eight values, the i-th divided by 16**i, times the eight nibbles of a word."""
    return total([values[i] * nibble(word, i) for i in range(8)])


def _sum(values):
    return total([values[i] for i in range(8)])


def _scale(word, group, which: int):
    """dq (``which`` 0) or mq (1) of a group, from the word of two groups; a select is cheaper than a shift."""
    return tirx.Select(group % 2 == 0, byte(word, which), byte(word, 2 + which))


def _gate(gate, up):
    return gate / (T.float32(1) + T.exp(-gate)) * up


def _one_token(k: int, n: int, eps: float | None, gated: bool, tiling: Tiling):
    normed = eps is not None
    lanes, per = tiling.lanes, tiling.columns
    weights = 2 if gated else 1
    owned = per * weights  # columns of W that a thread owns: ``per`` of gate, then as many of up

    def column(block, lane, r):
        return block * (lanes * per) + r % per * lanes + lane + r // per * n

    @T.prim_func(s_tir=True)
    def linear_row(x: T.Buffer((1, 1, k), "float32"), extra_handle: T.handle,
                   q: T.Buffer((k // 8, n * weights), "uint32"), s: T.Buffer((k // 64, n * weights), "uint32"),
                   c: T.Buffer((2, n * weights), "float32"), y: T.Buffer((1, 1, n), "float32")):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        if normed:
            gamma = T.match_buffer(extra_handle, (k,), "float32")
        else:
            residual = T.match_buffer(extra_handle, (1, 1, n), "float32")
        for block in T.thread_binding(n // (lanes * per), "blockIdx.x"):
            for lane in T.thread_binding(lanes, "threadIdx.x"):
                with T.sblock("linear"):
                    T.reads()
                    T.writes()
                    scale_sum = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                    min_sum = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                    part = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                    xv = T.sblock_alloc_buffer((8,), "float32", scope="local")
                    x_sum = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    square = T.sblock_alloc_buffer((1,), "float32", scope="local")

                    square[0] = T.float32(0)
                    for r in T.unroll(owned):
                        scale_sum[r] = T.float32(0)
                        min_sum[r] = T.float32(0)
                    for group in T.serial(k // 32):
                        x_sum[0] = T.float32(0)
                        for r in T.unroll(owned):
                            part[r] = T.float32(0)
                        for w in T.serial(4):
                            for i in T.unroll(8):
                                xv[i] = x[0, 0, group * 32 + w * 8 + i]
                            if normed:
                                square[0] = square[0] + total([xv[i] * xv[i] for i in range(8)])
                                for i in T.unroll(8):
                                    xv[i] = xv[i] * gamma[group * 32 + w * 8 + i]
                            x_sum[0] = x_sum[0] + _sum(xv)
                            xv[1] = scaled(xv[1], -4)
                            xv[2] = scaled(xv[2], -8)
                            xv[3] = scaled(xv[3], -12)
                            xv[4] = scaled(xv[4], -16)
                            xv[5] = scaled(xv[5], -20)
                            xv[6] = scaled(xv[6], -24)
                            xv[7] = scaled(xv[7], -28)
                            for r in T.unroll(owned):
                                word: T.let[T.uint32] = q[group * 4 + w, column(block, lane, r)]
                                part[r] = part[r] + _dot(xv, word)
                        for r in T.unroll(owned):
                            scales: T.let[T.uint32] = s[group // 2, column(block, lane, r)]
                            scale_sum[r] = scale_sum[r] + part[r] * _scale(scales, group, 0)
                            min_sum[r] = min_sum[r] + x_sum[0] * _scale(scales, group, 1)
                    for r in T.unroll(owned):
                        part[r] = c[0, column(block, lane, r)] * scale_sum[r] - c[1, column(block, lane, r)] * min_sum[r]
                    if normed:
                        for r in T.unroll(owned):
                            part[r] = part[r] * T.rsqrt(square[0] * exact(1 / k) + exact(eps))
                    for r in T.unroll(per):
                        if gated:
                            y[0, 0, column(block, lane, r)] = _gate(part[r], part[per + r])
                        elif normed:
                            y[0, 0, column(block, lane, r)] = part[r]
                        else:
                            y[0, 0, column(block, lane, r)] = part[r] + residual[0, 0, column(block, lane, r)]

    return linear_row


def _many_tokens(k: int, n: int, eps: float | None, gated: bool, tiling: Tiling):
    normed = eps is not None
    lanes, per, rows = tiling.lanes, tiling.columns, tiling.rows
    weights = 2 if gated else 1
    owned = per * weights

    def column(block, lane, r):
        return block * (lanes * per) + r % per * lanes + lane + r // per * n

    @T.prim_func(s_tir=True)
    def linear_tile(x_handle: T.handle, extra_handle: T.handle, q: T.Buffer((k // 8, n * weights), "uint32"),
                    s: T.Buffer((k // 64, n * weights), "uint32"), c: T.Buffer((2, n * weights), "float32"),
                    y_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        tokens = T.int32()
        x = T.match_buffer(x_handle, (1, tokens, k), "float32")
        y = T.match_buffer(y_handle, (1, tokens, n), "float32")
        if normed:
            gamma = T.match_buffer(extra_handle, (k,), "float32")
        else:
            residual = T.match_buffer(extra_handle, (1, tokens, n), "float32")
        for tile in T.thread_binding((tokens + rows - 1) // rows, "blockIdx.y"):
            for block in T.thread_binding(n // (lanes * per), "blockIdx.x"):
                for lane in T.thread_binding(lanes, "threadIdx.x"):
                    with T.sblock("linear"):
                        T.reads()
                        T.writes()
                        acc = T.sblock_alloc_buffer((rows * owned,), "float32", scope="local")
                        scale = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                        low = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                        weight = T.sblock_alloc_buffer((owned * 8,), "float32", scope="local")
                        xv = T.sblock_alloc_buffer((8,), "float32", scope="local")
                        square = T.sblock_alloc_buffer((rows,), "float32", scope="local")

                        @T.inline
                        def unpack(row, r):  # eight weights of a column from one word
                            word: T.let[T.uint32] = q[row, column(block, lane, r)]
                            weight[r * 8 + 0] = nibble(word, 0) * scale[r] - low[r]
                            weight[r * 8 + 1] = nibble(word, 1) * scaled(scale[r], -4) - low[r]
                            weight[r * 8 + 2] = nibble(word, 2) * scaled(scale[r], -8) - low[r]
                            weight[r * 8 + 3] = nibble(word, 3) * scaled(scale[r], -12) - low[r]
                            weight[r * 8 + 4] = nibble(word, 4) * scaled(scale[r], -16) - low[r]
                            weight[r * 8 + 5] = nibble(word, 5) * scaled(scale[r], -20) - low[r]
                            weight[r * 8 + 6] = nibble(word, 6) * scaled(scale[r], -24) - low[r]
                            weight[r * 8 + 7] = nibble(word, 7) * scaled(scale[r], -28) - low[r]

                        for i in T.unroll(rows * owned):
                            acc[i] = T.float32(0)
                        for i in T.unroll(rows):
                            square[i] = T.float32(0)
                        for group in T.serial(k // 32):
                            for r in T.unroll(owned):
                                scales: T.let[T.uint32] = s[group // 2, column(block, lane, r)]
                                scale[r] = c[0, column(block, lane, r)] * _scale(scales, group, 0)
                                low[r] = c[1, column(block, lane, r)] * _scale(scales, group, 1)
                            for w in T.serial(4):
                                for r in T.unroll(owned):
                                    unpack(group * 4 + w, r)
                                if normed:
                                    for i in T.unroll(8):
                                        factor: T.let[T.float32] = gamma[group * 32 + w * 8 + i]
                                        for r in T.unroll(owned):
                                            weight[r * 8 + i] = weight[r * 8 + i] * factor
                                for t in T.unroll(rows):
                                    for i in T.unroll(8):  # rows after the last token read it again and write nothing
                                        xv[i] = x[0, T.min(tile * rows + t, tokens - 1), group * 32 + w * 8 + i]
                                    if normed:
                                        square[t] = square[t] + total([xv[i] * xv[i] for i in range(8)])
                                    for r in T.unroll(owned):
                                        acc[t * owned + r] = acc[t * owned + r] + total(
                                            [xv[i] * weight[r * 8 + i] for i in range(8)])
                        for t in T.unroll(rows):
                            if tile * rows + t < tokens:
                                if normed:
                                    for r in T.unroll(owned):
                                        acc[t * owned + r] = acc[t * owned + r] * T.rsqrt(
                                            square[t] * exact(1 / k) + exact(eps))
                                for r in T.unroll(per):
                                    if gated:
                                        y[0, tile * rows + t, column(block, lane, r)] = _gate(
                                            acc[t * owned + r], acc[t * owned + per + r])
                                    elif normed:
                                        y[0, tile * rows + t, column(block, lane, r)] = acc[t * owned + r]
                                    else:
                                        y[0, tile * rows + t, column(block, lane, r)] = (
                                            acc[t * owned + r] + residual[0, tile * rows + t, column(block, lane, r)])

    return linear_tile
