"""Softmax and sampling, in several passes without barriers.

A row of the vocabulary is divided among ``chunks_of(vocab)`` threads: with n threads, thread c takes the entries
c, c + n, c + 2n, …, its chunk. Each pass writes one partial result per chunk, and every thread of the next pass
adds up all of them itself. On a CPU adapter that is cheaper than a barrier, and nothing is shared within a pass.
"""

from tvm import tirx
from tvm.script import tirx as T

LANES = 8
LOWEST = -3.0e38
ONE_UP = 0x3F800001  # bits of the float just above 1
WAYS = 16  # number of thresholds that one pass of the search tries
SEARCH_PASSES = 9  # the first only measures; each of the other eight narrows the range WAYS-fold, down to one float


def chunks_of(vocab: int) -> int:
    """How many threads share a row."""
    return 64 if vocab > 4096 else 32


def chunk_maxima(vocab: int):
    """A kernel ``(logits [B, 1, V]) -> maxima [B, chunks]``."""
    chunks = chunks_of(vocab)

    @T.prim_func(s_tir=True)
    def softmax_maxima(logits_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        logits = T.match_buffer(logits_handle, (batch, 1, vocab), "float32")
        out = T.match_buffer(out_handle, (batch, chunks), "float32")
        for b in T.thread_binding(batch, "blockIdx.y"):
            for block in T.thread_binding(chunks // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("maxima"):
                        T.reads()
                        T.writes()
                        top = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        chunk: T.let[T.int32] = block * LANES + lane
                        top[0] = T.float32(LOWEST)
                        for i in T.serial((vocab + chunks - 1) // chunks):
                            if i * chunks + chunk < vocab:
                                top[0] = T.max(top[0], logits[b, 0, i * chunks + chunk])
                        out[b, chunk] = top[0]

    return softmax_maxima.without_attr("global_symbol")


def exponentials(vocab: int):
    """A kernel ``(logits [B, 1, V], temperature [B], maxima [B, chunks]) -> exponentials [B, 1, V], sums [B, chunks]``."""
    chunks = chunks_of(vocab)

    @T.prim_func(s_tir=True)
    def softmax_exponentials(logits_handle: T.handle, temperature_handle: T.handle, maxima_handle: T.handle,
                             out_handle: T.handle, sums_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        logits = T.match_buffer(logits_handle, (batch, 1, vocab), "float32")
        temperature = T.match_buffer(temperature_handle, (batch,), "float32")
        maxima = T.match_buffer(maxima_handle, (batch, chunks), "float32")
        out = T.match_buffer(out_handle, (batch, 1, vocab), "float32")
        sums = T.match_buffer(sums_handle, (batch, chunks), "float32")
        for b in T.thread_binding(batch, "blockIdx.y"):
            for block in T.thread_binding(chunks // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("exponentials"):
                        T.reads()
                        T.writes()
                        top = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        sum_here = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        chunk: T.let[T.int32] = block * LANES + lane
                        heat: T.let[T.float32] = temperature[b]
                        top[0] = maxima[b, 0]
                        for i in T.serial(chunks):
                            top[0] = T.max(top[0], maxima[b, i])
                        sum_here[0] = T.float32(0)
                        for i in T.serial((vocab + chunks - 1) // chunks):
                            if i * chunks + chunk < vocab:
                                # at least -200, where exp is 0 already: otherwise temperature 1e-6 gives infinities
                                value: T.let[T.float32] = T.exp(
                                    T.max(logits[b, 0, i * chunks + chunk] - top[0], T.float32(-200) * heat) / heat)
                                out[b, 0, i * chunks + chunk] = value
                                sum_here[0] = sum_here[0] + value
                        sums[b, chunk] = sum_here[0]

    return softmax_exponentials.without_attr("global_symbol")


def normalise(vocab: int):
    """A kernel ``(exponentials [B, 1, V], sums [B, chunks]) -> probabilities [B, 1, V]``."""
    chunks = chunks_of(vocab)

    @T.prim_func(s_tir=True)
    def softmax_normalise(values_handle: T.handle, sums_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        values = T.match_buffer(values_handle, (batch, 1, vocab), "float32")
        sums = T.match_buffer(sums_handle, (batch, chunks), "float32")
        out = T.match_buffer(out_handle, (batch, 1, vocab), "float32")
        for b in T.thread_binding(batch, "blockIdx.y"):
            for block in T.thread_binding(chunks // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("normalise"):
                        T.reads()
                        T.writes()
                        total = T.sblock_alloc_buffer((1,), "float32", scope="local")
                        chunk: T.let[T.int32] = block * LANES + lane
                        total[0] = T.float32(0)
                        for i in T.serial(chunks):
                            total[0] = total[0] + sums[b, i]
                        for i in T.serial((vocab + chunks - 1) // chunks):
                            if i * chunks + chunk < vocab:
                                out[b, 0, i * chunks + chunk] = values[b, 0, i * chunks + chunk] / total[0]

    return softmax_normalise.without_attr("global_symbol")


def threshold(low, high, way):
    """The way-th of WAYS evenly spaced integers in [low, high), from ``low`` on. high < 2**30, so nothing overflows."""
    ways = tirx.const(WAYS, "int32")
    return low + (high - low) // ways * way + (high - low) % ways * way // ways


def search(vocab: int, first: bool):
    """One pass of the search for the top-p threshold: a kernel
    ``(probs [B, V], row [N], top_p [B], range [N, 2] i32, masses [N, WAYS, chunks]) -> (range, masses)``.

    The threshold is the largest t for which the mass of ``p >= t`` reaches top_p, or the smallest float if there is
    none. It is given by its bits, which have the same order as floats above 0. ``range`` holds low, whose mass
    reaches top_p, and high, whose mass does not. ``masses`` holds the mass above each of WAYS thresholds in that
    range. The ``first`` pass ignores its last two arguments.
    """
    chunks = chunks_of(vocab)

    @T.prim_func(s_tir=True)
    def top_p_search(probs_handle: T.handle, row_handle: T.handle, top_p_handle: T.handle, range_handle: T.handle,
                     masses_handle: T.handle, new_range_handle: T.handle, new_masses_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        samples = T.int32()
        probs = T.match_buffer(probs_handle, (batch, vocab), "float32")
        row = T.match_buffer(row_handle, (samples,), "int32")
        top_p = T.match_buffer(top_p_handle, (batch,), "float32")
        if not first:
            old_range = T.match_buffer(range_handle, (samples, 2), "int32")
            old_masses = T.match_buffer(masses_handle, (samples, WAYS, chunks), "float32")
        new_range = T.match_buffer(new_range_handle, (samples, 2), "int32")
        new_masses = T.match_buffer(new_masses_handle, (samples, WAYS, chunks), "float32")
        for n in T.thread_binding(samples, "blockIdx.y"):
            for block in T.thread_binding(chunks // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("search"):
                        T.reads()
                        T.writes()
                        low = T.sblock_alloc_buffer((1,), "int32", scope="local")
                        high = T.sblock_alloc_buffer((1,), "int32", scope="local")
                        mass = T.sblock_alloc_buffer((WAYS,), "float32", scope="local")
                        level = T.sblock_alloc_buffer((WAYS,), "float32", scope="local")
                        chunk: T.let[T.int32] = block * LANES + lane
                        r: T.let[T.int32] = row[n]
                        if first:
                            low[0] = 1  # the smallest float above 0: a masked token is never drawn
                            high[0] = ONE_UP
                        else:
                            low[0] = old_range[n, 0]
                            high[0] = old_range[n, 1]
                            for way in T.serial(1, WAYS):
                                mass[0] = T.float32(0)
                                for i in T.serial(chunks):
                                    mass[0] = mass[0] + old_masses[n, way, i]
                                # top_p 1 keeps every token, even if the rounded sum stays below 1
                                if mass[0] >= top_p[r] and top_p[r] < T.float32(1):
                                    low[0] = threshold(old_range[n, 0], old_range[n, 1], way)
                                else:
                                    high[0] = T.min(high[0], T.max(threshold(old_range[n, 0], old_range[n, 1], way),
                                                                   old_range[n, 0] + 1))
                        for way in T.unroll(WAYS):
                            level[way] = T.reinterpret("float32", threshold(low[0], high[0], way))
                            mass[way] = T.float32(0)
                        for i in T.serial((vocab + chunks - 1) // chunks):
                            if i * chunks + chunk < vocab:
                                p: T.let[T.float32] = probs[r, i * chunks + chunk]
                                for way in T.unroll(WAYS):
                                    mass[way] = mass[way] + T.if_then_else(p >= level[way], p, T.float32(0))
                        for way in T.unroll(WAYS):
                            new_masses[n, way, chunk] = mass[way]
                        if chunk == 0:
                            new_range[n, 0] = low[0]
                            new_range[n, 1] = high[0]

    return top_p_search.without_attr("global_symbol")


def draw(vocab: int):
    """A kernel ``(probs [B, V], uniform [N], row [N], range [N, 2], masses [N, WAYS, chunks]) -> token [N]``.

    Draws from the tokens at or above the threshold ``range[n, 0]``, in the order of the chunks. The distribution is
    the same as after a sort, except that all tokens with the probability of the threshold are kept. One thread per
    sample finds first the chunk and then the token in it.
    """
    chunks = chunks_of(vocab)

    @T.prim_func(s_tir=True)
    def top_p_draw(probs_handle: T.handle, uniform_handle: T.handle, row_handle: T.handle, range_handle: T.handle,
                   masses_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        samples = T.int32()
        probs = T.match_buffer(probs_handle, (batch, vocab), "float32")
        uniform = T.match_buffer(uniform_handle, (samples,), "float32")
        row = T.match_buffer(row_handle, (samples,), "int32")
        found = T.match_buffer(range_handle, (samples, 2), "int32")
        masses = T.match_buffer(masses_handle, (samples, WAYS, chunks), "float32")
        out = T.match_buffer(out_handle, (samples,), "int32")
        for n in T.thread_binding(samples, "blockIdx.x"):
            for lane in T.thread_binding(1, "threadIdx.x"):
                with T.sblock("draw"):
                    T.reads()
                    T.writes()
                    rest = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    chunk = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    token = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    done = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    r: T.let[T.int32] = row[n]
                    rest[0] = T.float32(0)
                    for i in T.serial(chunks):
                        rest[0] = rest[0] + masses[n, 0, i]
                    rest[0] = rest[0] * uniform[n]
                    chunk[0] = 0
                    done[0] = 0
                    for i in T.serial(chunks):
                        if done[0] == 0 and masses[n, 0, i] > T.float32(0):
                            chunk[0] = i  # if rounding leaves a rest at the end, this is the last chunk with any mass
                            if masses[n, 0, i] > rest[0]:
                                done[0] = 1
                            else:
                                rest[0] = rest[0] - masses[n, 0, i]
                    token[0] = 0
                    done[0] = 0
                    for i in T.serial((vocab + chunks - 1) // chunks):
                        if done[0] == 0 and i * chunks + chunk[0] < vocab:
                            p: T.let[T.float32] = probs[r, i * chunks + chunk[0]]
                            if p >= T.reinterpret("float32", found[n, 0]):
                                token[0] = i * chunks + chunk[0]
                                if p > rest[0]:
                                    done[0] = 1
                                else:
                                    rest[0] = rest[0] - p
                    out[n] = token[0]

    return top_p_draw.without_attr("global_symbol")
