"""Attention over the paged KV cache, with the signatures that the TVM runtime calls.

Some of their arguments are not used here, because web-llm runs one sequence and keys are stored rotated.
Decoding attends with one query token over the pages. Prefill attends with the new tokens among themselves
(``self_attention``) and over the pages (``past_attention``), and then calls ``merge_states``. kernels_cache
describes the layout of the pages, attention_core the work of a thread.
"""

from tvm.script import tirx as T

from .attention_core import LITTLE, running_softmax
from .shape import PAGE_SIZE, Shape

LANES = 4  # threads a workgroup in prefill: neighbouring tokens, which read the same keys
SPLIT = 16  # threads that share the positions of one key/value head in decoding


def decode_attention(shape: Shape):
    """One query token of each sequence over its pages.

    A workgroup serves a key/value head. Each of its threads takes every SPLIT-th position, and then the threads
    combine their results. Otherwise only a handful of threads would read a long conversation.
    """
    heads, kv_heads, dim = shape.heads, shape.kv_heads, shape.head_dim
    group = heads // kv_heads
    start, add = running_softmax(group, dim)

    @T.prim_func(s_tir=True)
    def decode_attention(q_handle: T.handle, pages_handle: T.handle, indptr_handle: T.handle, values_handle: T.handle,
                         length_handle: T.handle, k_rope_handle: T.handle, q_rope_handle: T.handle, out_handle: T.handle,
                         lse_handle: T.handle, rotary_mode: T.int32, rope_scale: T.float32, rope_theta: T.float32,
                         sm_scale: T.float32):
        T.func_attr({"tirx.is_scheduled": True})
        batch = T.int32()
        used_pages = T.int32()
        num_pages = T.int32()
        pages_offset = T.int64()
        indptr_offset = T.int32()
        values_offset = T.int32()
        k_rope_offset = T.int32()
        q_rope_offset = T.int32()
        length_offset = T.int32()
        q = T.match_buffer(q_handle, (batch, heads, dim), "float32")
        pages = T.match_buffer(pages_handle, (num_pages, 2, kv_heads, PAGE_SIZE, dim), "float32", elem_offset=pages_offset)
        indptr = T.match_buffer(indptr_handle, (batch + 1,), "int32", elem_offset=indptr_offset)
        values = T.match_buffer(values_handle, (used_pages,), "int32", elem_offset=values_offset)
        k_rope = T.match_buffer(k_rope_handle, (batch,), "int32", elem_offset=k_rope_offset)
        q_rope = T.match_buffer(q_rope_handle, (batch,), "int32", elem_offset=q_rope_offset)
        out = T.match_buffer(out_handle, (batch, heads, dim), "float32")
        lse = T.match_buffer(lse_handle, (batch, heads), "float32")
        length = T.match_buffer(length_handle, (batch,), "int32", elem_offset=length_offset)
        for b in T.thread_binding(batch, "blockIdx.y"):
            for h in T.thread_binding(kv_heads, "blockIdx.x"):
                for lane in T.thread_binding(SPLIT, "threadIdx.x"):
                    with T.sblock("attention"):
                        T.reads()
                        T.writes()
                        query = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        acc = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        top = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        total = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        score = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        fade = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        all_acc = T.sblock_alloc_buffer((group * dim * SPLIT,), "float32", scope="shared")
                        all_top = T.sblock_alloc_buffer((group * SPLIT,), "float32", scope="shared")
                        all_total = T.sblock_alloc_buffer((group * SPLIT,), "float32", scope="shared")
                        begin: T.let[T.int32] = indptr[b]
                        count: T.let[T.int32] = T.max((indptr[b + 1] - begin - 1) * PAGE_SIZE + length[b], 0)
                        start(query, acc, top, total, lambda g, i: q[b, h * group + g, i], sm_scale)
                        for step in T.serial((count + SPLIT - 1) // SPLIT):
                            if step * SPLIT + lane < count:
                                r: T.let[T.int32] = step * SPLIT + lane
                                page: T.let[T.int32] = values[begin + r // PAGE_SIZE]
                                add(query, acc, top, total, score, fade,
                                    lambda which, i: pages[page, which, h, r % PAGE_SIZE, i])
                        for g in T.unroll(group):
                            all_top[g * SPLIT + lane] = top[g]
                            all_total[g * SPLIT + lane] = total[g]
                        for i in T.serial(group * dim):
                            all_acc[i * SPLIT + lane] = acc[i]
                        T.tvm_storage_sync("shared")
                        for g in T.serial(group):
                            top[g] = all_top[g * SPLIT]
                            for part in T.serial(SPLIT):
                                top[g] = T.max(top[g], all_top[g * SPLIT + part])
                            total[g] = T.float32(0)
                            for part in T.serial(SPLIT):
                                total[g] = total[g] + all_total[g * SPLIT + part] * T.exp2(all_top[g * SPLIT + part] - top[g])
                            total[g] = T.max(total[g], T.float32(LITTLE))
                            for i in T.serial(dim // SPLIT):
                                score[g] = T.float32(0)
                                for part in T.serial(SPLIT):
                                    score[g] = score[g] + (all_acc[(g * dim + i * SPLIT + lane) * SPLIT + part]
                                                           * T.exp2(all_top[g * SPLIT + part] - top[g]))
                                out[b, h * group + g, i * SPLIT + lane] = score[g] / total[g]
                            if lane == 0:
                                lse[b, h * group + g] = top[g] + T.log2(total[g])

    return decode_attention.without_attr("global_symbol")


def self_attention(shape: Shape):
    """The new tokens among themselves; a thread handles one token and key/value head."""
    heads, kv_heads, dim = shape.heads, shape.kv_heads, shape.head_dim
    group = heads // kv_heads
    start, add = running_softmax(group, dim)

    @T.prim_func(s_tir=True)
    def self_attention(q_handle: T.handle, q_indptr_handle: T.handle, k_handle: T.handle, v_handle: T.handle,
                       k_indptr_handle: T.handle, q_rope_handle: T.handle, k_rope_handle: T.handle, out_handle: T.handle,
                       lse_handle: T.handle, causal: T.int32, rotary_mode: T.int32, rope_scale: T.float32,
                       rope_theta: T.float32, sm_scale: T.float32):
        T.func_attr({"tirx.is_scheduled": True})
        batch = T.int32()
        queries = T.int32()
        keys = T.int32()
        q_indptr_offset = T.int32()
        k_indptr_offset = T.int32()
        q_rope_offset = T.int32()
        k_rope_offset = T.int32()
        q = T.match_buffer(q_handle, (queries, heads, dim), "float32")
        q_indptr = T.match_buffer(q_indptr_handle, (batch + 1,), "int32", elem_offset=q_indptr_offset)
        k = T.match_buffer(k_handle, (keys, kv_heads, dim), "float32")
        v = T.match_buffer(v_handle, (keys, kv_heads, dim), "float32")
        k_indptr = T.match_buffer(k_indptr_handle, (batch + 1,), "int32", elem_offset=k_indptr_offset)
        q_rope = T.match_buffer(q_rope_handle, (queries,), "int32", elem_offset=q_rope_offset)
        k_rope = T.match_buffer(k_rope_handle, (batch,), "int32", elem_offset=k_rope_offset)
        out = T.match_buffer(out_handle, (queries, heads, dim), "float32")
        lse = T.match_buffer(lse_handle, (queries, heads), "float32")
        for h in T.thread_binding(kv_heads, "blockIdx.y"):
            for block in T.thread_binding((queries + LANES - 1) // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("attention"):
                        T.reads()
                        T.writes()
                        query = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        acc = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        top = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        total = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        score = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        fade = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        if block * LANES + lane < queries:
                            t: T.let[T.int32] = block * LANES + lane
                            count: T.let[T.int32] = T.if_then_else(causal > 0, keys - queries + t + 1, keys)
                            start(query, acc, top, total, lambda g, i: q[t, h * group + g, i], sm_scale)
                            for r in T.serial(count):
                                add(query, acc, top, total, score, fade, lambda which, i: (v if which else k)[r, h, i])
                            for g in T.unroll(group):
                                total[g] = T.max(total[g], T.float32(LITTLE))
                                lse[t, h * group + g] = top[g] + T.log2(total[g])
                                for i in T.serial(dim):
                                    out[t, h * group + g, i] = acc[g * dim + i] / total[g]

    return self_attention.without_attr("global_symbol")


def past_attention(shape: Shape):
    """The new tokens of one sequence over its pages; a thread handles one token and key/value head."""
    heads, kv_heads, dim = shape.heads, shape.kv_heads, shape.head_dim
    group = heads // kv_heads
    start, add = running_softmax(group, dim)

    @T.prim_func(s_tir=True)
    def past_attention(q_handle: T.handle, q_indptr_handle: T.handle, pages_handle: T.handle, indptr_handle: T.handle,
                       values_handle: T.handle, length_handle: T.handle, k_rope_handle: T.handle, q_rope_handle: T.handle,
                       out_handle: T.handle, lse_handle: T.handle, causal: T.int32, rotary_mode: T.int32,
                       rope_scale: T.float32, rope_theta: T.float32, sm_scale: T.float32):
        T.func_attr({"tirx.is_scheduled": True})
        batch = T.int32()
        queries = T.int32()
        used_pages = T.int32()
        num_pages = T.int32()
        pages_offset = T.int64()
        q_indptr_offset = T.int32()
        indptr_offset = T.int32()
        values_offset = T.int32()
        k_rope_offset = T.int32()
        q_rope_offset = T.int32()
        length_offset = T.int32()
        q = T.match_buffer(q_handle, (queries, heads, dim), "float32")
        q_indptr = T.match_buffer(q_indptr_handle, (batch + 1,), "int32", elem_offset=q_indptr_offset)
        pages = T.match_buffer(pages_handle, (num_pages, 2, kv_heads, PAGE_SIZE, dim), "float32", elem_offset=pages_offset)
        indptr = T.match_buffer(indptr_handle, (batch + 1,), "int32", elem_offset=indptr_offset)
        values = T.match_buffer(values_handle, (used_pages,), "int32", elem_offset=values_offset)
        k_rope = T.match_buffer(k_rope_handle, (batch,), "int32", elem_offset=k_rope_offset)
        q_rope = T.match_buffer(q_rope_handle, (queries,), "int32", elem_offset=q_rope_offset)
        out = T.match_buffer(out_handle, (queries, heads, dim), "float32")
        lse = T.match_buffer(lse_handle, (queries, heads), "float32")
        length = T.match_buffer(length_handle, (batch,), "int32", elem_offset=length_offset)
        for h in T.thread_binding(kv_heads, "blockIdx.y"):
            for block in T.thread_binding((queries + LANES - 1) // LANES, "blockIdx.x"):
                for lane in T.thread_binding(LANES, "threadIdx.x"):
                    with T.sblock("attention"):
                        T.reads()
                        T.writes()
                        query = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        acc = T.sblock_alloc_buffer((group * dim,), "float32", scope="local")
                        top = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        total = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        score = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        fade = T.sblock_alloc_buffer((group,), "float32", scope="local")
                        if block * LANES + lane < queries:
                            t: T.let[T.int32] = block * LANES + lane
                            begin: T.let[T.int32] = indptr[0]
                            keys: T.let[T.int32] = T.max((indptr[1] - begin - 1) * PAGE_SIZE + length[0], 0)
                            count: T.let[T.int32] = T.if_then_else(causal > 0, keys - queries + t + 1, keys)
                            start(query, acc, top, total, lambda g, i: q[t, h * group + g, i], sm_scale)
                            for r in T.serial(count):
                                page: T.let[T.int32] = values[begin + r // PAGE_SIZE]
                                add(query, acc, top, total, score, fade,
                                    lambda which, i: pages[page, which, h, r % PAGE_SIZE, i])
                            for g in T.unroll(group):
                                total[g] = T.max(total[g], T.float32(LITTLE))
                                lse[t, h * group + g] = top[g] + T.log2(total[g])
                                for i in T.serial(dim):
                                    out[t, h * group + g, i] = acc[g * dim + i] / total[g]

    return past_attention.without_attr("global_symbol")


def merge_states(shape: Shape):
    """Merges a second attention result (v2, s2) into the first, in place; a thread owns one (token, head).

    TVM's stock kernel has a race: every lane of a head reads the score and one of them writes it, with no
    barrier in between. On a software adapter it gives wrong results in every continued conversation.
    """
    heads, dim = shape.heads, shape.head_dim

    @T.prim_func(s_tir=True)
    def merge_states(v_handle: T.handle, s_handle: T.handle, v2_handle: T.handle, s2_handle: T.handle):
        T.func_attr({"tirx.is_scheduled": True})
        tokens = T.int32()
        v = T.match_buffer(v_handle, (tokens, heads, dim), "float32")
        s = T.match_buffer(s_handle, (tokens, heads), "float32")
        v2 = T.match_buffer(v2_handle, (tokens, heads, dim), "float32")
        s2 = T.match_buffer(s2_handle, (tokens, heads), "float32")
        for block in T.thread_binding((tokens * heads + LANES - 1) // LANES, "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("merge"):
                    T.reads()
                    T.writes()
                    part = T.sblock_alloc_buffer((3,), "float32", scope="local")
                    if block * LANES + lane < tokens * heads:
                        t: T.let[T.int32] = (block * LANES + lane) // heads
                        h: T.let[T.int32] = (block * LANES + lane) % heads
                        part[2] = T.max(s[t, h], s2[t, h])
                        part[0] = T.exp2(s[t, h] - part[2])
                        part[1] = T.exp2(s2[t, h] - part[2])
                        s[t, h] = T.log2(part[0] + part[1]) + part[2]
                        for i in T.serial(dim):
                            v[t, h, i] = (v[t, h, i] * part[0] + v2[t, h, i] * part[1]) / (part[0] + part[1])

    return merge_states.without_attr("global_symbol")
