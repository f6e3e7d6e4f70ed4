"""The shape of the model. It is fixed, because the pack's kernels are compiled for exactly these numbers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    """A Llama with grouped-query attention and the output head tied to the embedding."""

    hidden: int = 128
    layers: int = 4
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 32
    ffn: int = 320
    vocab: int = 1024
    context: int = 2048  # tokens
    eps: float = 1e-5  # of the RMS norms
    rope_theta: float = 10000.0

    @property
    def q_width(self) -> int:
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        return self.kv_heads * self.head_dim

    @property
    def qkv_width(self) -> int:
        return self.q_width + 2 * self.kv_width


SHAPE = Shape()

# Token ids, in this order. The first three are special: the tokenizer drops them from decoded text. The marks are
# ordinary text, because the server looks for them in the model's output.
SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARK_TOKENS = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
PAD_ID, START_ID, END_ID = 0, 1, 2
