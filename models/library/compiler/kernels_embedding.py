"""The tied 6-bit embedding, as a lookup by token and as the output head.

E[v, k] is stored as models/QUANTISATION.md describes, with v last: ``lo`` [k/8, v] u32, ``hi`` [k/16, v] u32,
``s`` [ceil(k/128), v] u32, ``c`` [v] f32; E = c * dq * ((lo | hi << 4) - 32).
"""

from tvm.script import tirx as T

from .bits import byte, exact, nibble, scaled, total, two_bits
from .tiling import Tiling

LOOKUP_LANES = 32


def lookup(vocab: int, k: int):
    """A kernel ``(lo, hi, s, c, ids [S]) -> rows [S, k]``; a thread unpacks eight values of a token."""
    words = k // 8

    @T.prim_func(s_tir=True)
    def embed_lookup(lo: T.Buffer((k // 8, vocab), "uint32"), hi: T.Buffer((k // 16, vocab), "uint32"),
                     s: T.Buffer(((k + 127) // 128, vocab), "uint32"), c: T.Buffer((vocab,), "float32"),
                     ids_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        tokens = T.int32()
        ids = T.match_buffer(ids_handle, (tokens,), "int32")
        out = T.match_buffer(out_handle, (tokens, k), "float32")
        for block in T.thread_binding((tokens * words + LOOKUP_LANES - 1) // LOOKUP_LANES, "blockIdx.x"):
            for lane in T.thread_binding(LOOKUP_LANES, "threadIdx.x"):
                with T.sblock("lookup"):
                    T.reads()
                    T.writes()
                    if block * LOOKUP_LANES + lane < tokens * words:
                        token: T.let[T.int32] = (block * LOOKUP_LANES + lane) // words
                        w: T.let[T.int32] = (block * LOOKUP_LANES + lane) % words
                        v: T.let[T.int32] = T.min(T.max(ids[token], 0), vocab - 1)
                        low: T.let[T.uint32] = lo[w, v]
                        high: T.let[T.uint32] = hi[w // 2, v] >> T.Cast("uint32", w % 2 * 16)
                        scale: T.let[T.float32] = c[v] * T.Cast(
                            "float32", (s[w // 16, v] >> T.Cast("uint32", w // 4 % 4 * 8)) & T.uint32(255))
                        for i in T.unroll(8):
                            out[token, w * 8 + i] = scale * (
                                T.Cast("float32", ((low >> T.Cast("uint32", 4 * i)) & T.uint32(15))
                                       | (((high >> T.Cast("uint32", 2 * i)) & T.uint32(3)) << T.uint32(4)))
                                - T.float32(32))

    return embed_lookup.without_attr("global_symbol")


def head(vocab: int, k: int, eps: float, tiling: Tiling):
    """A kernel ``(x [1, S, k], gamma [k], lo, hi, s, c) -> logits [1, 1, vocab]`` for the last token, with its RMS norm."""
    lanes, per = tiling.lanes, tiling.columns

    def column(block, lane, r):
        return block * (lanes * per) + r * lanes + lane

    @T.prim_func(s_tir=True)
    def embed_head(x_handle: T.handle, gamma: T.Buffer((k,), "float32"),
                   lo: T.Buffer((k // 8, vocab), "uint32"), hi: T.Buffer((k // 16, vocab), "uint32"),
                   s: T.Buffer(((k + 127) // 128, vocab), "uint32"), c: T.Buffer((vocab,), "float32"),
                   y: T.Buffer((1, 1, vocab), "float32")):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        tokens = T.int32()
        x = T.match_buffer(x_handle, (1, tokens, k), "float32")
        for block in T.thread_binding(vocab // (lanes * per), "blockIdx.x"):
            for lane in T.thread_binding(lanes, "threadIdx.x"):
                with T.sblock("head"):
                    T.reads()
                    T.writes()
                    acc = T.sblock_alloc_buffer((per,), "float32", scope="local")
                    part = T.sblock_alloc_buffer((per,), "float32", scope="local")
                    high = T.sblock_alloc_buffer((per,), "uint32", scope="local")
                    xv = T.sblock_alloc_buffer((8,), "float32", scope="local")
                    x_low = T.sblock_alloc_buffer((8,), "float32", scope="local")
                    x_high = T.sblock_alloc_buffer((8,), "float32", scope="local")
                    x_sum = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    square = T.sblock_alloc_buffer((1,), "float32", scope="local")

                    @T.inline
                    def place(i, half):  # the bits are not shifted down, so x is scaled (see bits); ``hi`` counts 16-fold
                        x_low[i] = scaled(xv[i], -4 * i)
                        x_high[i] = scaled(xv[i], 4 - 2 * (8 * half + i))

                    @T.inline
                    def add_eight(first, half):  # adds eight values of k; ``half`` is the half of a word of ``hi``
                        for i in T.unroll(8):
                            xv[i] = x[0, tokens - 1, first + i]
                        square[0] = square[0] + total([xv[i] * xv[i] for i in range(8)])
                        for i in T.unroll(8):
                            xv[i] = xv[i] * gamma[first + i]
                        x_sum[0] = x_sum[0] + total([xv[i] for i in range(8)])
                        place(0, half)
                        place(1, half)
                        place(2, half)
                        place(3, half)
                        place(4, half)
                        place(5, half)
                        place(6, half)
                        place(7, half)
                        for r in T.unroll(per):
                            low: T.let[T.uint32] = lo[first // 8, column(block, lane, r)]
                            part[r] = part[r] + total(
                                [x_low[i] * nibble(low, i) + x_high[i] * two_bits(high[r], 8 * half + i) for i in range(8)])

                    square[0] = T.float32(0)
                    for r in T.unroll(per):
                        acc[r] = T.float32(0)
                    for group in T.serial(k // 32):
                        x_sum[0] = T.float32(0)
                        for r in T.unroll(per):
                            part[r] = T.float32(0)
                        for double in T.serial(2):
                            for r in T.unroll(per):
                                high[r] = hi[group * 2 + double, column(block, lane, r)]
                            add_eight(group * 32 + double * 16, 0)
                            add_eight(group * 32 + double * 16 + 8, 1)
                        for r in T.unroll(per):  # a shift is affordable here: there is one for 32 weights
                            scale: T.let[T.uint32] = s[group // 4, column(block, lane, r)] >> T.Cast("uint32", group % 4 * 8)
                            acc[r] = acc[r] + (part[r] - T.float32(32) * x_sum[0]) * byte(scale, 0)
                    for r in T.unroll(per):
                        y[0, 0, column(block, lane, r)] = acc[r] * c[column(block, lane, r)] * T.rsqrt(
                            square[0] * exact(1 / k) + exact(eps))

    return embed_head.without_attr("global_symbol")
