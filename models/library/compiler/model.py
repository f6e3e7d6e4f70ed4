"""The Llama architecture as an nn module: the functions that web-llm calls (embed, prefill, …) and the parameters."""

from tvm import target as tvm_target
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op
from tvm.relax.frontend.nn.llm.kv_cache import PagedKVCache

from . import kernels_embedding, kernels_linear, sampling
from .kv_cache import LlamaKVCache
from .shape import Shape
from .tiling import Tiling

F32 = "float32"
# How many tokens a thread of a prefill kernel computes. More tokens share the unpacking of the weights, but they
# make the code longer, and compiling it takes half of a small model's loading time.
PREFILL_ROWS, SMALL_PREFILL_ROWS, SMALL = 8, 4, 256


def _out(shape, dtype: str = F32) -> nn.Tensor:
    return nn.Tensor.placeholder(shape, dtype, name="out")


def _one_token(x: nn.Tensor) -> bool:
    tokens = x.shape[1]
    return getattr(tokens, "value", tokens) == 1


class Linear(nn.Module):
    """A 4-bit linear layer, with the RMS norm before it (``eps``) or else the residual sum after it: kernels_linear."""

    def __init__(self, k: int, n: int, *, eps: float | None = None, gated: bool = False) -> None:
        weights = n * (2 if gated else 1)
        self.k, self.n, self.eps, self.gated = k, n, eps, gated
        self.prefill_rows = SMALL_PREFILL_ROWS if min(k, n) <= SMALL else PREFILL_ROWS
        self.q = nn.Parameter((k // 8, weights), "uint32")
        self.s = nn.Parameter((k // 64, weights), "uint32")
        self.c = nn.Parameter((2, weights), F32)

    def forward(self, x: nn.Tensor, extra: nn.Tensor) -> nn.Tensor:
        """``x`` is [1, S, k]; ``extra`` is the norm's weight [k] or the residual [1, S, n]. Returns [1, S, n]."""
        one_token = _one_token(x)
        columns = (16 if one_token else 8) // (2 if self.gated else 1)  # half for the gate, half for up
        tiling = Tiling.fit(self.n, columns, rows=1 if one_token else self.prefill_rows)
        kernel = kernels_linear.linear(self.k, self.n, eps=self.eps, gated=self.gated, tiling=tiling)
        return op.tensor_ir_op(kernel, "linear_row" if one_token else "linear_tile", [x, extra, self.q, self.s, self.c], _out((1, x.shape[1], self.n)))


class Embedding(nn.Module):
    """The 6-bit embedding, which is also the output head."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        vocab, k = shape.vocab, shape.hidden
        self.lo = nn.Parameter((k // 8, vocab), "uint32")
        self.hi = nn.Parameter((k // 16, vocab), "uint32")
        self.s = nn.Parameter((-(-k // 128), vocab), "uint32")
        self.c = nn.Parameter((vocab,), F32)

    def forward(self, ids: nn.Tensor) -> nn.Tensor:
        """Turns token ids [S] into rows [S, hidden]."""
        kernel = kernels_embedding.lookup(self.shape.vocab, self.shape.hidden)
        return op.tensor_ir_op(kernel, "embed_lookup", [self.lo, self.hi, self.s, self.c, ids],
                               _out((ids.shape[0], self.shape.hidden)))

    def head(self, x: nn.Tensor, norm: nn.Tensor) -> nn.Tensor:
        """Turns the last of the rows [1, S, hidden] into logits [1, 1, vocab], after an RMS norm."""
        shape = self.shape
        kernel = kernels_embedding.head(shape.vocab, shape.hidden, shape.eps, Tiling.fit(shape.vocab, 8))
        return op.tensor_ir_op(kernel, "embed_head", [x, norm, self.lo, self.hi, self.s, self.c],
                               _out((1, 1, shape.vocab)))


class Norm(nn.Module):
    """The weight of an RMS norm. The layer after it applies the norm."""

    def __init__(self, size: int) -> None:
        self.weight = nn.Parameter((size,), F32)


class Layer(nn.Module):
    """One transformer block."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        width = shape.heads * shape.head_dim
        self.attn_norm = Norm(shape.hidden)
        self.qkv = Linear(shape.hidden, shape.qkv_columns, eps=shape.eps)
        self.o = Linear(width, shape.hidden)
        self.ffn_norm = Norm(shape.hidden)
        self.gate_up = Linear(shape.hidden, shape.ffn, eps=shape.eps, gated=True)
        self.down = Linear(shape.ffn, shape.hidden)

    def forward(self, x: nn.Tensor, cache: PagedKVCache, index: int) -> nn.Tensor:
        """Takes and returns [1, S, hidden]. Keys and values are written to layer ``index`` of the cache."""
        shape, tokens = self.shape, x.shape[1]
        qkv = op.reshape(self.qkv(x, self.attn_norm.weight),
                         (1, tokens, shape.heads + 2 * shape.kv_heads, shape.head_dim))
        attended = cache.attention_with_fused_qkv(index, qkv, shape.heads, sm_scale=shape.head_dim ** -0.5)
        x = self.o(op.reshape(attended, (1, tokens, shape.heads * shape.head_dim)), x)
        return self.down(self.gate_up(x, self.ffn_norm.weight), x)


class Llama(nn.Module):
    """The functions that web-llm looks up by name, one method each."""

    def __init__(self, shape: Shape, target: tvm_target.Target) -> None:
        self.shape, self.target = shape, target
        self.embed_tokens = Embedding(shape)
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.layers)])
        self.norm = Norm(shape.hidden)

    def embed(self, input_ids: nn.Tensor) -> nn.Tensor:
        """Turns token ids [S] into embeddings [S, hidden]."""
        return self.embed_tokens(input_ids)

    def prefill(self, input_embed: nn.Tensor, paged_kv_cache: PagedKVCache):
        """Turns embeddings [1, S, hidden] into the last token's logits [1, 1, vocab]; also returns the cache."""
        x = input_embed
        for index, layer in enumerate(self.layers):
            x = layer(x, paged_kv_cache, index)
        return self.embed_tokens.head(x, self.norm.weight), paged_kv_cache

    def decode(self, input_embed: nn.Tensor, paged_kv_cache: PagedKVCache):
        """Like prefill, for exactly one token."""
        return self.prefill(input_embed, paged_kv_cache)

    def softmax_with_temperature(self, logits: nn.Tensor, temperature: nn.Tensor) -> nn.Tensor:
        """Turns logits [B, 1, V] and temperatures [B] into probabilities [B, 1, V]."""
        return sampling.softmax(logits, temperature, self.shape.vocab)

    def argsort_probs(self, probs: nn.Tensor):
        """Returns the probabilities twice: web-llm passes both results to sample_with_top_p, which needs no order."""
        return probs, probs

    def sample_with_top_p(self, sorted_probs: nn.Tensor, sorted_indices: nn.Tensor, uniform_samples: nn.Tensor,
                          sample_indices: nn.Tensor, top_p: nn.Tensor) -> nn.Tensor:
        """Draws one token per sample. The names of the arguments are web-llm's (see argsort_probs)."""
        return sampling.sample(sorted_probs, uniform_samples, sample_indices, top_p, self.shape.vocab)

    def create_tir_paged_kv_cache(self, max_batch_size, max_total_seq_len, prefill_chunk_size, page_size,
                                  support_sliding_window) -> PagedKVCache:
        """Makes the KV cache object. At run time, all arguments are shapes of one element."""
        return LlamaKVCache(self.shape, self.target, [max_batch_size, max_total_seq_len, prefill_chunk_size,
                                                      page_size, support_sliding_window])

    def spec(self) -> dict:
        """Types of the exported functions' arguments."""
        shape = self.shape
        packed = {"$": {"param_mode": "packed", "effect_mode": "none"}}
        plain = {"$": {"param_mode": "none", "effect_mode": "none"}}
        cache = nn.spec.Object(object_type=PagedKVCache)
        probs = nn.spec.Tensor(["batch_size", shape.vocab], F32)
        sizes = ("max_batch_size", "max_total_seq_len", "prefill_chunk_size", "page_size", "support_sliding_window")
        return {
            "embed": {"input_ids": nn.spec.Tensor(["seq_len"], "int32")} | packed,
            "prefill": {"input_embed": nn.spec.Tensor([1, "seq_len", shape.hidden], F32),
                        "paged_kv_cache": cache} | packed,
            "decode": {"input_embed": nn.spec.Tensor([1, 1, shape.hidden], F32), "paged_kv_cache": cache} | packed,
            "create_tir_paged_kv_cache": {size: int for size in sizes} | plain,
            "softmax_with_temperature": {"logits": nn.spec.Tensor(["batch_size", 1, shape.vocab], F32),
                                         "temperature": nn.spec.Tensor(["batch_size"], F32)} | plain,
            "argsort_probs": {"probs": probs} | plain,
            "sample_with_top_p": {"sorted_probs": probs, "sorted_indices": probs,
                                  "uniform_samples": nn.spec.Tensor(["num_samples"], F32),
                                  "sample_indices": nn.spec.Tensor(["num_samples"], "int32"),
                                  "top_p": nn.spec.Tensor(["batch_size"], F32)} | plain,
        }
