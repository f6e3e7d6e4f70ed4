"""The runtime's paged KV cache object, made with our own kernels instead of TVM's."""

import tvm
from tvm import relax
from tvm.relax.frontend.nn.llm import _page_kernels
from tvm.relax.frontend.nn.llm.kv_cache import AttnKind, PagedKVCache, RopeMode

from . import kernels_attention, kernels_cache
from .shape import PAGE_SIZE, Shape

NO_LAYER_WINDOW = 1024  # size of per-layer sliding windows; has no effect, because a Llama has none


class LlamaKVCache(PagedKVCache):
    """Calls the runtime's constructor with its 28 arguments (``paged_kv_cache.cc`` of TVM 0.27).

    Kernels for sliding windows, token trees and latent attention are left out (empty tuples). web-llm does not use
    them for a Llama, and every kernel in a library is compiled when the model is loaded.
    """

    def __init__(self, shape: Shape, target: tvm.target.Target, sizes: list) -> None:
        builder = relax.BlockBuilder.current()

        def kernel(function, name: str):
            return builder.add_func(function, name)

        def attention(function, name: str):
            return relax.Tuple([tvm.ir.StringImm("tirx"), kernel(function, name)])

        absent = relax.Tuple([])
        append = kernel(kernels_cache.append(shape), "append_kv")
        arguments = [
            relax.ShapeExpr([*sizes, NO_LAYER_WINDOW]),
            relax.ShapeExpr([0, shape.layers]),
            relax.prim_value(shape.heads),
            relax.prim_value(shape.kv_heads),
            relax.prim_value(shape.head_dim),
            relax.prim_value(shape.head_dim),
            relax.ShapeExpr([int(AttnKind.MHA)] * shape.layers),
            relax.prim_value(False),  # no transfer of the cache between machines
            relax.prim_value(RopeMode.NORMAL),
            relax.prim_value(1),  # scale of positions
            relax.prim_value(int(shape.rope_theta)),
            relax.prim_value(0),  # no rotary extension factors; a null would be treated as a tensor
            relax.op.zeros((), "float32"),
            append,
            relax.prim_value(0),  # append for latent attention
            attention(kernels_attention.self_attention(shape), "self_attention"),
            attention(kernels_attention.past_attention(shape), "past_attention"),
            attention(kernels_attention.decode_attention(shape), "decode_attention"),
            absent, absent,  # sliding window: prefill, decode
            absent, absent,  # token tree: paged, plain
            absent,  # latent attention
            relax.Tuple([kernel(kernels_attention.merge_states(shape), "merge_states")]),
            kernel(kernels_cache.split_rotary(shape), "split_rotary"),
            kernel(_page_kernels._copy_single_page(shape.kv_heads, PAGE_SIZE, shape.head_dim, "float32", target), "copy_page"),
            append, append,  # placeholders: reading the cache for debugging, and compacting it after a token tree
        ]
        super().__init__(
            _expr=relax.call_pure_packed("vm.builtin.paged_attention_kv_cache_create", *arguments,
                                         ty_args=relax.AnyType()),
            _name="paged_kv_cache",
        )
