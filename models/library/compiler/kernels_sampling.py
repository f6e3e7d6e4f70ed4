"""Softmax and sampling: one workgroup a row, the only kernels that share memory between threads.

Barriers stand in loops of fixed length and shared memory is never read inside a condition: WGSL wants
barriers in uniform control flow, and its analysis takes any value read from memory for non-uniform.
"""

from tvm.script import tirx as T

LANES = 256
LOWEST = -3.0e38
ONE_UP = 0x3F800001  # bits of the float just above 1
SEARCH_STEPS = 31  # enough to halve [0, ONE_UP] down to one float


def softmax_with_temperature():
    """A kernel ``(logits [B, 1, V], temperature [B]) -> probabilities [B, 1, V]``."""

    @T.prim_func(s_tir=True)
    def softmax(logits_handle: T.handle, temperature_handle: T.handle, out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        vocab = T.int32()
        logits = T.match_buffer(logits_handle, (batch, 1, vocab), "float32")
        temperature = T.match_buffer(temperature_handle, (batch,), "float32")
        out = T.match_buffer(out_handle, (batch, 1, vocab), "float32")
        for b in T.thread_binding(batch, "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("softmax"):
                    T.reads()
                    T.writes()
                    shared_max = T.sblock_alloc_buffer((LANES,), "float32", scope="shared")
                    shared_sum = T.sblock_alloc_buffer((LANES,), "float32", scope="shared")
                    top = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    total = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    top[0] = T.float32(LOWEST)
                    for i in T.serial((vocab + LANES - 1) // LANES):
                        if i * LANES + lane < vocab:
                            top[0] = T.max(top[0], logits[b, 0, i * LANES + lane])
                    shared_max[lane] = top[0]
                    T.tvm_storage_sync("shared")
                    for i in T.serial(LANES):
                        top[0] = T.max(top[0], shared_max[i])
                    total[0] = T.float32(0)
                    for i in T.serial((vocab + LANES - 1) // LANES):
                        if i * LANES + lane < vocab:
                            # never below -200 (exp is 0 there), so that no infinity appears at temperature 1e-6
                            out[b, 0, i * LANES + lane] = T.exp(
                                T.max(logits[b, 0, i * LANES + lane] - top[0], T.float32(-200) * temperature[b])
                                / temperature[b])
                            total[0] = total[0] + out[b, 0, i * LANES + lane]
                    shared_sum[lane] = total[0]
                    T.tvm_storage_sync("shared")
                    total[0] = T.float32(0)
                    for i in T.serial(LANES):
                        total[0] = total[0] + shared_sum[i]
                    for i in T.serial((vocab + LANES - 1) // LANES):
                        if i * LANES + lane < vocab:
                            out[b, 0, i * LANES + lane] = out[b, 0, i * LANES + lane] / total[0]

    return softmax.without_attr("global_symbol")


def sample_top_p():
    """A kernel ``(probs [B, V], uniform [N], row [N], top_p [B]) -> token [N]``; draws with no sort.

    Finds by bisection over the floats (their order is that of their bits) the largest threshold whose mass
    ``sum of p >= threshold`` reaches top_p, then draws from those in the order of the vocabulary: the same
    distribution as with a sort, except that equal probabilities at the threshold are all kept.
    A probability of 0 (a masked token) is never drawn.
    """

    @T.prim_func(s_tir=True)
    def sample_top_p(probs_handle: T.handle, uniform_handle: T.handle, row_handle: T.handle, top_p_handle: T.handle,
                     out_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        batch = T.int32()
        samples = T.int32()
        vocab = T.int32()
        probs = T.match_buffer(probs_handle, (batch, vocab), "float32")
        uniform = T.match_buffer(uniform_handle, (samples,), "float32")
        row = T.match_buffer(row_handle, (samples,), "int32")
        top_p = T.match_buffer(top_p_handle, (batch,), "float32")
        out = T.match_buffer(out_handle, (samples,), "int32")
        for n in T.thread_binding(samples, "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("sample"):
                    T.reads()
                    T.writes()
                    lane_mass = T.sblock_alloc_buffer((LANES,), "float32", scope="shared")
                    low = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    high = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    mass = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    total = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    run = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    chunk = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    last = T.sblock_alloc_buffer((1,), "int32", scope="local")
                    low[0] = 1  # the smallest positive float
                    high[0] = ONE_UP
                    if top_p[row[n]] >= T.float32(1):  # everything stays: nothing to search
                        high[0] = 2
                    for step in T.serial(SEARCH_STEPS):
                        mass[0] = T.float32(0)
                        if high[0] - low[0] > 1:
                            for i in T.serial((vocab + LANES - 1) // LANES):
                                if i * LANES + lane < vocab:
                                    if probs[row[n], i * LANES + lane] >= T.reinterpret("float32", (low[0] + high[0]) // 2):
                                        mass[0] = mass[0] + probs[row[n], i * LANES + lane]
                        lane_mass[lane] = mass[0]
                        T.tvm_storage_sync("shared")
                        total[0] = T.float32(0)
                        for i in T.serial(LANES):
                            total[0] = total[0] + lane_mass[i]
                        T.tvm_storage_sync("shared")
                        if high[0] - low[0] > 1:
                            if total[0] >= top_p[row[n]]:
                                low[0] = (low[0] + high[0]) // 2
                            else:
                                high[0] = (low[0] + high[0]) // 2
                    # the mass of a run of neighbours a thread, then one thread finds the run and the token in it
                    mass[0] = T.float32(0)
                    for i in T.serial((vocab + LANES - 1) // LANES):
                        if lane * ((vocab + LANES - 1) // LANES) + i < vocab:
                            if probs[row[n], lane * ((vocab + LANES - 1) // LANES) + i] >= T.reinterpret("float32", low[0]):
                                mass[0] = mass[0] + probs[row[n], lane * ((vocab + LANES - 1) // LANES) + i]
                    lane_mass[lane] = mass[0]
                    T.tvm_storage_sync("shared")
                    if lane == 0:
                        total[0] = T.float32(0)
                        for i in T.serial(LANES):
                            total[0] = total[0] + lane_mass[i]
                        total[0] = total[0] * uniform[n]
                        run[0] = T.float32(0)
                        chunk[0] = -1
                        last[0] = 0
                        for i in T.serial(LANES):
                            mass[0] = lane_mass[i]
                            if chunk[0] < 0:
                                if mass[0] > T.float32(0):
                                    last[0] = i
                                if run[0] + mass[0] > total[0]:
                                    chunk[0] = i
                                else:
                                    run[0] = run[0] + mass[0]
                        if chunk[0] < 0:  # rounding at the very end: the last run that holds anything
                            chunk[0] = last[0]
                        last[0] = 0
                        high[0] = -1
                        for i in T.serial((vocab + LANES - 1) // LANES):
                            if high[0] < 0 and chunk[0] * ((vocab + LANES - 1) // LANES) + i < vocab:
                                if probs[row[n], chunk[0] * ((vocab + LANES - 1) // LANES) + i] >= T.reinterpret("float32", low[0]):
                                    last[0] = chunk[0] * ((vocab + LANES - 1) // LANES) + i
                                    run[0] = run[0] + probs[row[n], chunk[0] * ((vocab + LANES - 1) // LANES) + i]
                                    if run[0] > total[0]:
                                        high[0] = last[0]
                        out[n] = T.if_then_else(high[0] < 0, last[0], high[0])

    return sample_top_p.without_attr("global_symbol")
