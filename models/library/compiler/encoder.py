"""A BERT-shaped encoder as an nn module: the one function that web-llm calls for an embedder, and the parameters."""

from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op

from . import kernels_encoder
from .encoder_shape import EncoderShape

F32 = "float32"


def _like(x: nn.Tensor, width: int) -> nn.Tensor:
    return nn.Tensor.placeholder((x.shape[0], x.shape[1], width), F32, name="out")


class Dense(nn.Module):
    """A linear layer with a bias, and GELU after it if asked."""

    def __init__(self, k: int, n: int, *, gelu: bool = False) -> None:
        self.k, self.n, self.gelu = k, n, gelu
        self.weight = nn.Parameter((k, n), F32)
        self.bias = nn.Parameter((n,), F32)

    def forward(self, x: nn.Tensor) -> nn.Tensor:
        """Turns [B, S, k] into [B, S, n]."""
        kernel = kernels_encoder.dense(self.k, self.n, gelu=self.gelu)
        name = "encoder_dense_gelu" if self.gelu else "encoder_dense"
        return op.tensor_ir_op(kernel, name, [x, self.weight, self.bias], _like(x, self.n))


class Norm(nn.Module):
    """A layer norm."""

    def __init__(self, shape: EncoderShape) -> None:
        self.shape = shape
        self.scale = nn.Parameter((shape.hidden,), F32)
        self.shift = nn.Parameter((shape.hidden,), F32)

    def forward(self, x: nn.Tensor, residual: nn.Tensor) -> nn.Tensor:
        """The norm of the sum of two [B, S, hidden]."""
        kernel = kernels_encoder.add_norm(self.shape)
        return op.tensor_ir_op(kernel, "encoder_add_norm", [x, residual, self.scale, self.shift], _like(x, self.shape.hidden))


class Layer(nn.Module):
    """One transformer block, with its norms after the sums."""

    def __init__(self, shape: EncoderShape) -> None:
        self.shape = shape
        hidden = shape.hidden
        self.q, self.k, self.v, self.o = (Dense(hidden, hidden) for _ in range(4))
        self.attn_norm = Norm(shape)
        self.up = Dense(hidden, shape.ffn, gelu=True)
        self.down = Dense(shape.ffn, hidden)
        self.ffn_norm = Norm(shape)

    def forward(self, x: nn.Tensor, mask: nn.Tensor) -> nn.Tensor:
        """Takes and returns [B, S, hidden]."""
        attended = op.tensor_ir_op(kernels_encoder.attention(self.shape), "encoder_attention",
                                   [self.q(x), self.k(x), self.v(x), mask], _like(x, self.shape.hidden))
        x = self.attn_norm(self.o(attended), x)
        return self.ffn_norm(self.down(self.up(x)), x)


class Embedding(nn.Module):
    """The tables of words, positions and types, and their norm. All tokens are of the first type."""

    def __init__(self, shape: EncoderShape) -> None:
        self.shape = shape
        self.words = nn.Parameter((shape.vocab, shape.hidden), F32)
        self.positions = nn.Parameter((shape.context, shape.hidden), F32)
        self.types = nn.Parameter((shape.types, shape.hidden), F32)
        self.norm = Norm(shape)

    def forward(self, ids: nn.Tensor) -> nn.Tensor:
        """Turns token ids [B, S] into [B, S, hidden]."""
        tables = [self.words, self.positions, self.types, self.norm.scale, self.norm.shift, ids]
        return op.tensor_ir_op(kernels_encoder.embed(self.shape), "encoder_embed", tables, _like(ids, self.shape.hidden))


class Encoder(nn.Module):
    """The function that web-llm looks up by name."""

    def __init__(self, shape: EncoderShape) -> None:
        self.shape = shape
        self.embed = Embedding(shape)
        self.layers = nn.ModuleList([Layer(shape) for _ in range(shape.layers)])

    def prefill(self, inputs: nn.Tensor, attention_mask: nn.Tensor) -> nn.Tensor:
        """Turns token ids and mask, both [B, S], into the states of all tokens [B, S, hidden]."""
        x = self.embed(inputs)
        for layer in self.layers:
            x = layer(x, attention_mask)
        return x

    def spec(self) -> dict:
        """Types of the exported function's arguments."""
        texts = nn.spec.Tensor(["batch_size", "seq_len"], "int32")
        return {"prefill": {"inputs": texts, "attention_mask": texts, "$": {"param_mode": "packed", "effect_mode": "none"}}}
