"""The sizes of the model. Its text half is a Llama as tiny-chat is, its eye the vision half of SmolVLM (SigLIP)."""

from dataclasses import dataclass

from shape import Shape

TEXT = Shape(hidden=96, layers=2, heads=3, kv_heads=3, head_dim=32, ffn=256, vocab=480, context=1024)


@dataclass(frozen=True)
class Eye:
    """A SigLIP encoder, whose output is joined in squares of `merge` x `merge` patches and projected linearly."""

    side: int = 64  # pixels of a picture
    patch: int = 8  # pixels
    hidden: int = 96
    layers: int = 4
    heads: int = 3
    ffn: int = 256
    merge: int = 4  # patches
    eps: float = 1e-6  # of the layer norms

    @property
    def patches(self) -> int:
        return (self.side // self.patch) ** 2

    @property
    def tokens(self) -> int:
        return self.patches // self.merge**2


EYE = Eye()

# Token ids, in this order. The first three are tiny-chat's; the others are what llama.cpp writes around a picture.
SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
AROUND, TILE, WHOLE, IMAGE = "<fake_token_around_image>", "<row_1_col_1>", "<global-img>", "<image>"
IMAGE_TOKENS = (AROUND, TILE, WHOLE, IMAGE)
TWO_LINES = "\n\n"  # llama.cpp looks for one token of both, though no merge has a newline
PAD_ID, START_ID, END_ID = 0, 1, 2
