"""Softmax and sampling as sequences of the passes in kernels_sampling."""

from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op

from . import kernels_sampling as kernels


def _out(shape, dtype: str = "float32") -> nn.Tensor:
    return nn.Tensor.placeholder(shape, dtype, name="out")


def softmax(logits: nn.Tensor, temperature: nn.Tensor, vocab: int) -> nn.Tensor:
    """Turns logits [B, 1, V] and temperatures [B] into probabilities [B, 1, V]."""
    partial = _out((logits.shape[0], kernels.chunks_of(vocab)))
    maxima = op.tensor_ir_op(kernels.chunk_maxima(vocab), "softmax_maxima", [logits], partial)
    values, sums = op.tensor_ir_op(kernels.exponentials(vocab), "softmax_exponentials", [logits, temperature, maxima],
                                   [_out(logits.shape), partial])
    return op.tensor_ir_op(kernels.normalise(vocab), "softmax_normalise", [values, sums], _out(logits.shape))


def sample(probs: nn.Tensor, uniform: nn.Tensor, row: nn.Tensor, top_p: nn.Tensor, vocab: int) -> nn.Tensor:
    """Draws N tokens, each with ``uniform`` [N] from the row ``row`` [N] of ``probs`` [B, V] and ``top_p`` [B]."""
    samples = uniform.shape[0]
    outputs = [_out((samples, 2), "int32"), _out((samples, kernels.WAYS, kernels.chunks_of(vocab)))]
    found, masses = op.tensor_ir_op(kernels.search(vocab, first=True), "top_p_first", [probs, row, top_p, row, top_p], outputs)
    for _ in range(kernels.SEARCH_PASSES - 1):
        found, masses = op.tensor_ir_op(kernels.search(vocab, first=False), "top_p_search",
                                        [probs, row, top_p, found, masses], outputs)
    return op.tensor_ir_op(kernels.draw(vocab), "top_p_draw", [probs, uniform, row, found, masses], _out((samples,), "int32"))
