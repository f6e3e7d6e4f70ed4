"""A Llama that sees: image_embed, as web-llm calls it for models of the type phi3_v."""

from tvm import target as tvm_target
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op

from . import kernels_vision as kernels
from .model import F32, Llama
from .shape import Shape
from .vision_layout import CROP, FEATURES, PER_CROP


def _out(*shape) -> nn.Tensor:
    return nn.Tensor.placeholder(shape, F32, name="out")


class Eye(nn.Module):
    """The image tower of kernels_vision."""

    def __init__(self, shape: Shape) -> None:
        self.width, self.hidden = shape.vision_width, shape.hidden
        self.w1 = nn.Parameter((FEATURES, self.width), F32)
        self.b1 = nn.Parameter((self.width,), F32)
        self.w2 = nn.Parameter((self.width, self.hidden), F32)
        self.marks = nn.Parameter((2, self.hidden), F32)

    def forward(self, pixels: nn.Tensor, height, width, rows, columns) -> nn.Tensor:
        """Pixels [1, h, w, 3], and the size that they are scaled to, to embeddings [tokens, hidden]."""
        crops = self._look(pixels, height, width, rows, columns)
        whole = self._look(pixels, CROP, CROP, PER_CROP, PER_CROP)
        count = rows * (columns + 1) + 1 + PER_CROP * (PER_CROP + 1)
        return op.tensor_ir_op(kernels.tokens(self.width, self.hidden), "image_tokens",
                               [crops, whole, self.w2, self.marks], _out(count, self.hidden))

    def _look(self, pixels: nn.Tensor, height, width, rows, columns) -> nn.Tensor:
        resized = op.tensor_ir_op(kernels.resize(), "image_resize", [pixels], _out(height, width, 3))
        means = op.tensor_ir_op(kernels.cells(), "image_cells", [resized], _out(rows, columns, FEATURES))
        return op.tensor_ir_op(kernels.hidden(self.width), "image_hidden", [means, self.w1, self.b1],
                               _out(rows, columns, self.width))


class SeeingLlama(Llama):
    """A Llama with an image tower."""

    def __init__(self, shape: Shape, target: tvm_target.Target) -> None:
        super().__init__(shape, target)
        self.eye = Eye(shape)

    def image_embed(self, pixel_values: nn.Tensor, resized_height, resized_width, crop_height, crop_width) -> nn.Tensor:
        """Turns pixels [1, h, w, 3] into embeddings [tokens, hidden]. web-llm computes the four sizes."""
        return self.eye(pixel_values, resized_height, resized_width, crop_height * PER_CROP, crop_width * PER_CROP)

    def spec(self) -> dict:
        """As Llama's, with image_embed. At run time, the sizes are shapes of one element."""
        sizes = ("resized_height", "resized_width", "crop_height", "crop_width")
        return super().spec() | {
            "image_embed": {"pixel_values": nn.spec.Tensor([1, "image_height", "image_width", 3], "uint32")}
            | {size: int for size in sizes} | {"$": {"param_mode": "packed", "effect_mode": "none"}},
        }
