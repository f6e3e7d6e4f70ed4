"""4-bit linear layers ``y = x W``, fused with what stands before or after them.

W[k, n] as in models/QUANTISATION.md: ``q`` [k/8, n] u32, ``s`` [k/64, n] u32, ``c`` [2, n] f32.

Why the kernels look as they do: on a software adapter a workgroup barrier turns a kernel into coroutines and
costs more than all its arithmetic, so a thread owns whole output columns and shares nothing. Neighbouring
lanes own neighbouring columns, so weight loads are consecutive (coalesced on a GPU); a thread owns several
columns, so each load of ``x`` is used several times. RMS norm, SiLU gate and residual sum are fused because
in small models it is the number of dispatches that decoding costs.
"""

from tvm.script import tirx as T

from .bits import field, field_in_place, field_scale
from .tiling import Tiling


def linear(k: int, n: int, *, eps: float | None, gated: bool, tiling: Tiling):
    """A kernel ``(x [1, S, k], extra, q, s, c) -> y [1, S, n]``.

    ``eps`` given: ``x`` is RMS-normalised first and ``extra`` is the norm's weight [k].
    Otherwise ``extra`` is a residual [1, S, n] added to the result.
    ``gated``: W has 2n columns, gate then up, and y = silu(gate) * up.
    """
    return _one_token(k, n, eps, gated, tiling) if tiling.rows == 1 else _many_tokens(k, n, eps, gated, tiling)


def _one_token(k: int, n: int, eps: float | None, gated: bool, tiling: Tiling):
    normed = eps is not None
    lanes, per = tiling.lanes, tiling.columns
    weights = 2 if gated else 1
    owned = per * weights  # weight columns a thread owns

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
                    words = T.sblock_alloc_buffer((owned,), "uint32", scope="local")
                    xv = T.sblock_alloc_buffer((8,), "float32", scope="local")
                    x_sum = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    square = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    square[0] = T.float32(0)
                    for r in T.unroll(owned):
                        scale_sum[r] = T.float32(0)
                        min_sum[r] = T.float32(0)
                    for pair in T.serial(k // 64):
                        for r in T.unroll(owned):
                            words[r] = s[pair, column(block, lane, r)]
                        for half in T.unroll(2):
                            x_sum[0] = T.float32(0)
                            for r in T.unroll(owned):
                                part[r] = T.float32(0)
                            for w in T.serial(4):
                                for i in T.unroll(8):
                                    xv[i] = x[0, 0, pair * 64 + half * 32 + w * 8 + i]
                                if normed:
                                    for i in T.unroll(8):
                                        square[0] = square[0] + xv[i] * xv[i]
                                        xv[i] = xv[i] * gamma[pair * 64 + half * 32 + w * 8 + i]
                                x_sum[0] = x_sum[0] + ((xv[0] + xv[1]) + (xv[2] + xv[3])
                                                       + ((xv[4] + xv[5]) + (xv[6] + xv[7])))
                                # nibbles stay where they are in the word (field_in_place), so x shrinks instead
                                xv[1] = xv[1] * T.float32(1 / field_scale(4, 4))
                                xv[2] = xv[2] * T.float32(1 / field_scale(8, 4))
                                xv[3] = xv[3] * T.float32(1 / field_scale(12, 4))
                                xv[4] = xv[4] * T.float32(1 / field_scale(16, 4))
                                xv[5] = xv[5] * T.float32(1 / field_scale(20, 4))
                                xv[6] = xv[6] * T.float32(1 / field_scale(24, 4))
                                for r in T.unroll(owned):
                                    word: T.let[T.uint32] = q[pair * 8 + half * 4 + w, column(block, lane, r)]
                                    part[r] = part[r] + (
                                        xv[0] * field_in_place(word, 0, 4) + xv[1] * field_in_place(word, 4, 4)
                                        + xv[2] * field_in_place(word, 8, 4) + xv[3] * field_in_place(word, 12, 4)
                                        + xv[4] * field_in_place(word, 16, 4) + xv[5] * field_in_place(word, 20, 4)
                                        + xv[6] * field_in_place(word, 24, 4) + xv[7] * field_in_place(word, 28, 4))
                            for r in T.unroll(owned):
                                scale_sum[r] = scale_sum[r] + part[r] * T.Cast(
                                    "float32", T.Cast("int32", (words[r] >> T.Cast("uint32", half * 16)) & T.uint32(255)))
                                min_sum[r] = min_sum[r] + x_sum[0] * T.Cast(
                                    "float32", T.Cast("int32", (words[r] >> T.Cast("uint32", half * 16 + 8)) & T.uint32(255)))
                    for r in T.unroll(owned):
                        part[r] = c[0, column(block, lane, r)] * scale_sum[r] - c[1, column(block, lane, r)] * min_sum[r]
                    if normed:
                        for r in T.unroll(owned):
                            part[r] = part[r] * T.rsqrt(square[0] * T.float32(1 / k) + T.float32(eps))
                    for r in T.unroll(per):
                        if gated:
                            y[0, 0, column(block, lane, r)] = part[r] / (T.float32(1) + T.exp(-part[r])) * part[per + r]
                        elif normed:
                            y[0, 0, column(block, lane, r)] = part[r]
                        else:
                            y[0, 0, column(block, lane, r)] = part[r] + residual[0, 0, column(block, lane, r)]

    return linear_row.without_attr("global_symbol")


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
                        for i in T.unroll(rows * owned):
                            acc[i] = T.float32(0)
                        for i in T.unroll(rows):
                            square[i] = T.float32(0)
                        for group in T.serial(k // 32):
                            for r in T.unroll(owned):
                                pair: T.let[T.uint32] = s[group // 2, column(block, lane, r)] >> T.Cast("uint32", group % 2 * 16)
                                scale[r] = c[0, column(block, lane, r)] * field(pair, 0, 8)
                                low[r] = c[1, column(block, lane, r)] * field(pair, 8, 8)
                            for w in T.serial(4):
                                for r in T.unroll(owned):
                                    word: T.let[T.uint32] = q[group * 4 + w, column(block, lane, r)]
                                    weight[r * 8 + 0] = field(word, 0, 4) * scale[r] - low[r]
                                    weight[r * 8 + 1] = field(word, 4, 4) * scale[r] - low[r]
                                    weight[r * 8 + 2] = field(word, 8, 4) * scale[r] - low[r]
                                    weight[r * 8 + 3] = field(word, 12, 4) * scale[r] - low[r]
                                    weight[r * 8 + 4] = field(word, 16, 4) * scale[r] - low[r]
                                    weight[r * 8 + 5] = field(word, 20, 4) * scale[r] - low[r]
                                    weight[r * 8 + 6] = field(word, 24, 4) * scale[r] - low[r]
                                    weight[r * 8 + 7] = field(word, 28, 4) * scale[r] - low[r]
                                if normed:
                                    for i in T.unroll(8):
                                        factor: T.let[T.float32] = gamma[group * 32 + w * 8 + i]
                                        for r in T.unroll(owned):
                                            weight[r * 8 + i] = weight[r * 8 + i] * factor
                                for t in T.unroll(rows):
                                    for i in T.unroll(8):  # past the last token: read it again, write nothing
                                        xv[i] = x[0, T.min(tile * rows + t, tokens - 1), group * 32 + w * 8 + i]
                                    if normed:
                                        square[t] = square[t] + (
                                            (xv[0] * xv[0] + xv[1] * xv[1]) + (xv[2] * xv[2] + xv[3] * xv[3])
                                            + ((xv[4] * xv[4] + xv[5] * xv[5]) + (xv[6] * xv[6] + xv[7] * xv[7])))
                                    for r in T.unroll(owned):
                                        acc[t * owned + r] = acc[t * owned + r] + (
                                            xv[0] * weight[r * 8] + xv[1] * weight[r * 8 + 1]
                                            + xv[2] * weight[r * 8 + 2] + xv[3] * weight[r * 8 + 3]
                                            + xv[4] * weight[r * 8 + 4] + xv[5] * weight[r * 8 + 5]
                                            + xv[6] * weight[r * 8 + 6] + xv[7] * weight[r * 8 + 7])
                        for t in T.unroll(rows):
                            if tile * rows + t < tokens:
                                if normed:
                                    for r in T.unroll(owned):
                                        acc[t * owned + r] = acc[t * owned + r] * T.rsqrt(
                                            square[t] * T.float32(1 / k) + T.float32(eps))
                                for r in T.unroll(per):
                                    if gated:
                                        y[0, tile * rows + t, column(block, lane, r)] = (
                                            acc[t * owned + r] / (T.float32(1) + T.exp(-acc[t * owned + r]))
                                            * acc[t * owned + per + r])
                                    elif normed:
                                        y[0, tile * rows + t, column(block, lane, r)] = acc[t * owned + r]
                                    else:
                                        y[0, tile * rows + t, column(block, lane, r)] = (
                                            acc[t * owned + r] + residual[0, tile * rows + t, column(block, lane, r)])

    return linear_tile.without_attr("global_symbol")
