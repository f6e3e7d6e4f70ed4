"""Kernels that change the logits [B, V] in place before sampling: grammar mask, bias, penalties.

Each thread owns one entry. web-llm never names a token twice in one call, so no two threads write the same logit.
"""

from tvm.script import tirx as T

LANES = 64
MASKED = -3.0e38  # finite, see kernels_sampling.softmax_with_temperature


@T.prim_func(s_tir=True)
def apply_bitmask_inplace(logits_handle: T.handle, rows_handle: T.handle, mask_handle: T.handle):
    """Masks every token v whose bit in row ``rows[i]`` of the mask [M, ceil(V / 32)] is 0."""
    T.func_attr({"global_symbol": "apply_bitmask_inplace", "tirx.noalias": True, "tirx.is_scheduled": True})
    batch = T.int32()
    vocab = T.int32()
    count = T.int32()
    mask_rows = T.int32()
    words = T.int32()
    logits = T.match_buffer(logits_handle, (batch, vocab), "float32")
    rows = T.match_buffer(rows_handle, (count,), "int32")
    mask = T.match_buffer(mask_handle, (mask_rows, words), "int32")
    for block in T.thread_binding((count * vocab + LANES - 1) // LANES, "blockIdx.x"):
        for lane in T.thread_binding(LANES, "threadIdx.x"):
            with T.sblock("bitmask"):
                T.reads()
                T.writes()
                if block * LANES + lane < count * vocab:
                    i: T.let[T.int32] = (block * LANES + lane) // vocab
                    v: T.let[T.int32] = (block * LANES + lane) % vocab
                    if T.bitwise_and(T.shift_right(mask[rows[i], v // 32], v % 32), 1) == 0:
                        logits[rows[i], v] = T.float32(MASKED)


@T.prim_func(s_tir=True)
def apply_logit_bias_inplace(logits_handle: T.handle, rows_handle: T.handle, tokens_handle: T.handle, bias_handle: T.handle):
    """Adds ``bias[i]`` to the logit of ``tokens[i]`` in row ``rows[i]``."""
    T.func_attr({"global_symbol": "apply_logit_bias_inplace", "tirx.noalias": True, "tirx.is_scheduled": True})
    batch = T.int32()
    vocab = T.int32()
    count = T.int32()
    logits = T.match_buffer(logits_handle, (batch, vocab), "float32")
    rows = T.match_buffer(rows_handle, (count,), "int32")
    tokens = T.match_buffer(tokens_handle, (count,), "int32")
    bias = T.match_buffer(bias_handle, (count,), "float32")
    for block in T.thread_binding((count + LANES - 1) // LANES, "blockIdx.x"):
        for lane in T.thread_binding(LANES, "threadIdx.x"):
            with T.sblock("bias"):
                T.reads()
                T.writes()
                if block * LANES + lane < count:
                    i: T.let[T.int32] = block * LANES + lane
                    if tokens[i] >= 0 and tokens[i] < vocab:
                        logits[rows[i], tokens[i]] = logits[rows[i], tokens[i]] + bias[i]


@T.prim_func(s_tir=True)
def apply_penalty_inplace(logits_handle: T.handle, rows_handle: T.handle, entry_handle: T.handle, tokens_handle: T.handle,
                          counts_handle: T.handle, penalties_handle: T.handle):
    """Penalises ``tokens[i]``, which has occurred ``counts[i]`` times, in row ``rows[entry[i]]``.

    ``penalties[entry[i]]`` has presence, frequency and repetition penalty. The repetition penalty divides positive
    logits and multiplies negative ones.
    """
    T.func_attr({"global_symbol": "apply_penalty_inplace", "tirx.noalias": True, "tirx.is_scheduled": True})
    batch = T.int32()
    vocab = T.int32()
    sequences = T.int32()
    count = T.int32()
    logits = T.match_buffer(logits_handle, (batch, vocab), "float32")
    rows = T.match_buffer(rows_handle, (sequences,), "int32")
    entry = T.match_buffer(entry_handle, (count,), "int32")
    tokens = T.match_buffer(tokens_handle, (count,), "int32")
    counts = T.match_buffer(counts_handle, (count,), "int32")
    penalties = T.match_buffer(penalties_handle, (sequences, 3), "float32")
    for block in T.thread_binding((count + LANES - 1) // LANES, "blockIdx.x"):
        for lane in T.thread_binding(LANES, "threadIdx.x"):
            with T.sblock("penalty"):
                T.reads()
                T.writes()
                value = T.sblock_alloc_buffer((1,), "float32", scope="local")
                if block * LANES + lane < count:
                    i: T.let[T.int32] = block * LANES + lane
                    e: T.let[T.int32] = entry[i]
                    if tokens[i] >= 0 and tokens[i] < vocab:
                        value[0] = logits[rows[e], tokens[i]] - (
                            penalties[e, 0] + T.Cast("float32", counts[i]) * penalties[e, 1])
                        logits[rows[e], tokens[i]] = T.if_then_else(
                            value[0] > T.float32(0), value[0] / penalties[e, 2], value[0] * penalties[e, 2])
