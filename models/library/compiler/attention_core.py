"""What the attention kernels share: one thread's running softmax over keys and values.

A thread serves all query heads that share a key/value head, so that each key and value is loaded once for
all of them. The thread's state is in local arrays: ``query`` and ``acc`` [group * dim]; ``top`` (largest score
so far), ``total`` (sum of weights), ``score`` and ``fade`` [group]. Scores are in base 2, and ``acc`` is not yet
divided by ``total``.
"""

import math

from tvm.script import tirx as T

from .bits import exact

LOG2_E = math.log2(math.e)
NO_SCORE = -5e4  # below any real score, but finite: a WGSL compiler may assume that there is no infinity
LITTLE = 1e-30  # lower bound of a sum of weights, so that the result without any position is 0 and not NaN
UNROLL = 4


def running_softmax(group: int, dim: int):
    """Inline functions ``(start, add)`` for scripts whose arrays are named as above."""

    @T.inline
    def start(query, acc, top, total, load_query, sm_scale):
        """Loads and scales the queries (``load_query(g, i)``) and clears the state."""
        for g in T.unroll(group):
            top[g] = T.float32(NO_SCORE)
            total[g] = T.float32(0)
        for i in T.serial(dim):
            for g in T.unroll(group):
                query[g * dim + i] = load_query(g, i) * (sm_scale * exact(LOG2_E))
                acc[g * dim + i] = T.float32(0)

    @T.inline
    def add(query, acc, top, total, score, fade, load):
        """Adds one position; ``load(which, i)`` gives value i of its key or value."""
        for g in T.unroll(group):
            score[g] = T.float32(0)
        for block in T.serial(dim // UNROLL):
            for j in T.unroll(UNROLL):
                key: T.let[T.float32] = load(0, block * UNROLL + j)
                for g in T.unroll(group):
                    score[g] = score[g] + query[g * dim + block * UNROLL + j] * key
        for g in T.unroll(group):
            fade[g] = T.exp2(top[g] - T.max(top[g], score[g]))
            top[g] = T.max(top[g], score[g])
            score[g] = T.exp2(score[g] - top[g])
            total[g] = total[g] * fade[g] + score[g]
        for block in T.serial(dim // UNROLL):
            for j in T.unroll(UNROLL):
                value: T.let[T.float32] = load(1, block * UNROLL + j)
                for g in T.unroll(group):
                    acc[g * dim + block * UNROLL + j] = acc[g * dim + block * UNROLL + j] * fade[g] + score[g] * value

    return start, add
