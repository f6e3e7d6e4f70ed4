"""The kernels of a BERT-shaped encoder in f32. Texts of a batch are padded at their ends; ``mask`` is 0 there.

As in kernels_linear, threads share nothing, because a workgroup barrier is expensive on a software adapter. A
thread of ``embed`` and ``add_norm`` owns a token; one of ``dense`` owns columns of some tokens; one of
``attention`` owns a token and a head. ``blockIdx.z`` is not free in TVM's WGSL, so ``blockIdx.y`` counts texts too.
"""

from tvm.script import tirx as T

from .attention_core import LITTLE, running_softmax
from .bits import exact, total
from .encoder_shape import EncoderShape
from .tiling import Tiling

LANES = 8  # threads a workgroup, where a thread owns a token
ROWS = 4  # tokens that a thread of ``dense`` owns

# The error function as Abramowitz and Stegun have it in 7.1.26: its error is at most 1.5e-7.
ERF_SCALE = 0.3275911
ERF_TERMS = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)


def _normaliser(shape: EncoderShape):
    """An inline function ``(row [hidden], moment [2])`` that brings a token's values to mean 0 and variance 1."""
    hidden = shape.hidden

    @T.inline
    def normalise(row, moment):
        moment[0] = T.float32(0)
        moment[1] = T.float32(0)
        for i in T.serial(hidden):
            moment[0] = moment[0] + row[i]
        moment[0] = moment[0] * exact(1 / hidden)
        for i in T.serial(hidden):
            row[i] = row[i] - moment[0]
            moment[1] = moment[1] + row[i] * row[i]
        moment[1] = T.rsqrt(moment[1] * exact(1 / hidden) + exact(shape.eps))
        for i in T.serial(hidden):
            row[i] = row[i] * moment[1]

    return normalise


def embed(shape: EncoderShape):
    """A kernel ``(words, positions, types, scale, shift, ids [B, S]) -> x [B, S, hidden]``, with the norm."""
    hidden, normalise = shape.hidden, _normaliser(shape)

    @T.prim_func(s_tir=True)
    def encoder_embed(words: T.Buffer((shape.vocab, hidden), "float32"), positions: T.Buffer((shape.context, hidden), "float32"),
                      types: T.Buffer((shape.types, hidden), "float32"), scale: T.Buffer((hidden,), "float32"),
                      shift: T.Buffer((hidden,), "float32"), ids_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        tokens = T.int32()
        ids = T.match_buffer(ids_handle, (batch, tokens), "int32")
        out = T.match_buffer(out_handle, (batch, tokens, hidden), "float32")
        for b in T.thread_binding(batch, "blockIdx.y"):
            for block in T.thread_binding((tokens + LANES - 1) // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("embed"):
                        T.reads()
                        T.writes()
                        row = T.sblock_alloc_buffer((hidden,), "float32", scope="local")
                        moment = T.sblock_alloc_buffer((2,), "float32", scope="local")
                        word = T.sblock_alloc_buffer((1,), "int32", scope="local")
                        if block * LANES + lane < tokens:
                            word[0] = T.min(T.max(ids[b, block * LANES + lane], 0), shape.vocab - 1)
                            for i in T.serial(hidden):
                                row[i] = words[word[0], i] + positions[block * LANES + lane, i] + types[0, i]
                            normalise(row, moment)
                            for i in T.serial(hidden):
                                out[b, block * LANES + lane, i] = row[i] * scale[i] + shift[i]

    return encoder_embed.without_attr("global_symbol")


def add_norm(shape: EncoderShape):
    """A kernel ``(x, residual [B, S, hidden], scale, shift) -> y``: the norm of their sum."""
    hidden, normalise = shape.hidden, _normaliser(shape)

    @T.prim_func(s_tir=True)
    def encoder_add_norm(x_handle: T.handle, residual_handle: T.handle, scale: T.Buffer((hidden,), "float32"),
                         shift: T.Buffer((hidden,), "float32"), out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        tokens = T.int32()
        x = T.match_buffer(x_handle, (batch, tokens, hidden), "float32")
        residual = T.match_buffer(residual_handle, (batch, tokens, hidden), "float32")
        out = T.match_buffer(out_handle, (batch, tokens, hidden), "float32")
        for b in T.thread_binding(batch, "blockIdx.y"):
            for block in T.thread_binding((tokens + LANES - 1) // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("add_norm"):
                        T.reads()
                        T.writes()
                        row = T.sblock_alloc_buffer((hidden,), "float32", scope="local")
                        moment = T.sblock_alloc_buffer((2,), "float32", scope="local")
                        if block * LANES + lane < tokens:
                            for i in T.serial(hidden):
                                row[i] = x[b, block * LANES + lane, i] + residual[b, block * LANES + lane, i]
                            normalise(row, moment)
                            for i in T.serial(hidden):
                                out[b, block * LANES + lane, i] = row[i] * scale[i] + shift[i]

    return encoder_add_norm.without_attr("global_symbol")


def dense(k: int, n: int, *, gelu: bool):
    """A kernel ``(x [B, S, k], weight [k, n], bias [n]) -> y [B, S, n]``: ``x weight + bias``, through GELU if asked."""
    tiling = Tiling.fit(n, 4, ROWS)
    lanes, per = tiling.lanes, tiling.columns
    owned = ROWS * per

    def column(block, lane, r):
        return block * (lanes * per) + r * lanes + lane

    @T.prim_func(s_tir=True)
    def encoder_dense(x_handle: T.handle, weight: T.Buffer((k, n), "float32"), bias: T.Buffer((n,), "float32"),
                      y_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        tokens = T.int32()
        x = T.match_buffer(x_handle, (batch, tokens, k), "float32")
        y = T.match_buffer(y_handle, (batch, tokens, n), "float32")
        for tile in T.thread_binding(batch * ((tokens + ROWS - 1) // ROWS), "blockIdx.y"):
            for block in T.thread_binding(n // (lanes * per), "blockIdx.x"):
                for lane in T.thread_binding(lanes, "threadIdx.x"):
                    with T.sblock("dense"):
                        T.reads()
                        T.writes()
                        acc = T.sblock_alloc_buffer((owned,), "float32", scope="local")
                        columns = T.sblock_alloc_buffer((per * 8,), "float32", scope="local")
                        xv = T.sblock_alloc_buffer((8,), "float32", scope="local")
                        place = T.sblock_alloc_buffer((2,), "int32", scope="local")  # text, first token
                        near = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        tail = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        place[0] = tile // ((tokens + ROWS - 1) // ROWS)
                        place[1] = tile % ((tokens + ROWS - 1) // ROWS) * ROWS
                        for i in T.unroll(owned):
                            acc[i] = T.float32(0)
                        for step in T.serial(k // 8):
                            for i in T.unroll(8):
                                for r in T.unroll(per):
                                    columns[r * 8 + i] = weight[step * 8 + i, column(block, lane, r)]
                            for t in T.unroll(ROWS):
                                for i in T.unroll(8):  # rows after the last token read it again and write nothing
                                    xv[i] = x[place[0], T.min(place[1] + t, tokens - 1), step * 8 + i]
                                for r in T.unroll(per):
                                    acc[t * per + r] = acc[t * per + r] + total([xv[i] * columns[r * 8 + i] for i in range(8)])
                        for t in T.unroll(ROWS):
                            if place[1] + t < tokens:
                                for r in T.unroll(per):
                                    acc[t * per + r] = acc[t * per + r] + bias[column(block, lane, r)]
                                    if gelu:
                                        near[0] = T.float32(1) / (
                                            T.float32(1) + T.abs(acc[t * per + r]) * exact(ERF_SCALE * 0.5**0.5))
                                        tail[0] = exact(ERF_TERMS[4])
                                        tail[0] = tail[0] * near[0] + exact(ERF_TERMS[3])
                                        tail[0] = tail[0] * near[0] + exact(ERF_TERMS[2])
                                        tail[0] = tail[0] * near[0] + exact(ERF_TERMS[1])
                                        tail[0] = tail[0] * near[0] + exact(ERF_TERMS[0])
                                        tail[0] = tail[0] * near[0] * T.exp(
                                            acc[t * per + r] * acc[t * per + r] * T.float32(-0.5))
                                        # Half the tail is the share that a negative value keeps, and a positive one loses.
                                        y[place[0], place[1] + t, column(block, lane, r)] = T.max(
                                            acc[t * per + r], T.float32(0)) - T.abs(acc[t * per + r]) * tail[0] * T.float32(0.5)
                                    else:
                                        y[place[0], place[1] + t, column(block, lane, r)] = acc[t * per + r]

    return encoder_dense.without_attr("global_symbol")


def attention(shape: EncoderShape):
    """A kernel ``(q, k, v [B, S, hidden], mask [B, S]) -> out [B, S, hidden]``: every token sees those that are no padding."""
    heads, dim, hidden = shape.heads, shape.head_dim, shape.hidden
    start, add = running_softmax(1, dim)

    @T.prim_func(s_tir=True)
    def encoder_attention(q_handle: T.handle, k_handle: T.handle, v_handle: T.handle, mask_handle: T.handle,
                          out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        tokens = T.int32()
        q = T.match_buffer(q_handle, (batch, tokens, hidden), "float32")
        k = T.match_buffer(k_handle, (batch, tokens, hidden), "float32")
        v = T.match_buffer(v_handle, (batch, tokens, hidden), "float32")
        mask = T.match_buffer(mask_handle, (batch, tokens), "int32")
        out = T.match_buffer(out_handle, (batch, tokens, hidden), "float32")
        for place in T.thread_binding(batch * heads, "blockIdx.y"):
            for block in T.thread_binding((tokens + LANES - 1) // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("attention"):
                        T.reads()
                        T.writes()
                        query = T.sblock_alloc_buffer((dim,), "float32", scope="local")
                        acc = T.sblock_alloc_buffer((dim,), "float32", scope="local")
                        top = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        weights = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        score = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        fade = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        at = T.sblock_alloc_buffer((2,), "int32", scope="local")  # text, first value of the head
                        if block * LANES + lane < tokens:
                            at[0] = place // heads
                            at[1] = place % heads * dim
                            start(query, acc, top, weights, lambda g, i: q[at[0], block * LANES + lane, at[1] + i],
                                  exact(dim**-0.5))
                            for r in T.serial(tokens):
                                if mask[at[0], r] != 0:
                                    add(query, acc, top, weights, score, fade,
                                        lambda which, i: (v if which else k)[at[0], r, at[1] + i])
                            for i in T.serial(dim):
                                out[at[0], block * LANES + lane, at[1] + i] = acc[i] / T.max(weights[0], T.float32(LITTLE))

    return encoder_attention.without_attr("global_symbol")
