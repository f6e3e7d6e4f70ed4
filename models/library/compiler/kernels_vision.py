"""An image tower: pixels become embeddings in the layout of Phi-3.5-vision, the only one that web-llm knows.

A token stands for a square of BLOCK pixels. It is described by the mean colours of its cells, and a small MLP turns
these into an embedding. The tower is for tests: what matters is that every pixel counts, and every kernel is short.
"""

from tvm.script import tirx as T

from .bits import exact
from .vision_layout import BLOCK, CELL, CELLS, FEATURES, PER_CROP, WHITE

LANES = 64


def _blocks(count):
    return (count + LANES - 1) // LANES


def resize():
    """A kernel ``(pixels [1, h, w, 3] u32) -> [h', w', 3]``: bilinear, 0 to 255."""

    @T.prim_func(s_tir=True)
    def image_resize(source_handle: T.handle, resized_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        height = T.int32()
        width = T.int32()
        new_height = T.int32()
        new_width = T.int32()
        source = T.match_buffer(source_handle, (1, height, width, 3), "uint32")
        resized = T.match_buffer(resized_handle, (new_height, new_width, 3), "float32")
        for block in T.thread_binding(_blocks(new_height * new_width), "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("resize"):
                    T.reads()
                    T.writes()
                    spot = T.sblock_alloc_buffer((2,), "float32", scope="local")
                    near = T.sblock_alloc_buffer((4,), "int32", scope="local")
                    part = T.sblock_alloc_buffer((2,), "float32", scope="local")
                    if block * LANES + lane < new_height * new_width:
                        spot[0] = (T.Cast("float32", (block * LANES + lane) // new_width) + T.float32(0.5)) * T.Cast(
                            "float32", height) / T.Cast("float32", new_height) - T.float32(0.5)
                        spot[1] = (T.Cast("float32", (block * LANES + lane) % new_width) + T.float32(0.5)) * T.Cast(
                            "float32", width) / T.Cast("float32", new_width) - T.float32(0.5)
                        spot[0] = T.min(T.max(spot[0], T.float32(0)), T.Cast("float32", height - 1))
                        spot[1] = T.min(T.max(spot[1], T.float32(0)), T.Cast("float32", width - 1))
                        near[0] = T.Cast("int32", spot[0])
                        near[1] = T.Cast("int32", spot[1])
                        near[2] = T.min(near[0] + 1, height - 1)
                        near[3] = T.min(near[1] + 1, width - 1)
                        spot[0] = spot[0] - T.Cast("float32", near[0])
                        spot[1] = spot[1] - T.Cast("float32", near[1])
                        for c in T.unroll(3):
                            part[0] = T.Cast("float32", source[0, near[0], near[1], c]) * (T.float32(1) - spot[1]) + T.Cast(
                                "float32", source[0, near[0], near[3], c]) * spot[1]
                            part[1] = T.Cast("float32", source[0, near[2], near[1], c]) * (T.float32(1) - spot[1]) + T.Cast(
                                "float32", source[0, near[2], near[3], c]) * spot[1]
                            resized[(block * LANES + lane) // new_width, (block * LANES + lane) % new_width, c] = (
                                part[0] * (T.float32(1) - spot[0]) + part[1] * spot[0])

    return image_resize.without_attr("global_symbol")


def cells():
    """A kernel ``(image [h, w, 3]) -> [rows, columns, FEATURES]``, with w = columns * BLOCK.

    The image is put on white in the middle of rows * BLOCK lines. A feature is the mean of a cell, about -2 to 2.
    """

    @T.prim_func(s_tir=True)
    def image_cells(image_handle: T.handle, cells_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        height = T.int32()
        width = T.int32()
        rows = T.int32()
        columns = T.int32()
        image = T.match_buffer(image_handle, (height, width, 3), "float32")
        means = T.match_buffer(cells_handle, (rows, columns, FEATURES), "float32")
        for block in T.thread_binding(_blocks(rows * columns * (CELLS * CELLS)), "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("cells"):
                    T.reads()
                    T.writes()
                    which = T.sblock_alloc_buffer((3,), "int32", scope="local")
                    first = T.sblock_alloc_buffer((2,), "int32", scope="local")
                    colour = T.sblock_alloc_buffer((3,), "float32", scope="local")
                    if block * LANES + lane < rows * columns * (CELLS * CELLS):
                        which[0] = (block * LANES + lane) // (CELLS * CELLS) // columns
                        which[1] = (block * LANES + lane) // (CELLS * CELLS) % columns
                        which[2] = (block * LANES + lane) % (CELLS * CELLS)
                        first[0] = which[0] * BLOCK + which[2] // CELLS * CELL - (rows * BLOCK - height) // 2
                        first[1] = which[1] * BLOCK + which[2] % CELLS * CELL
                        for c in T.unroll(3):
                            colour[c] = T.float32(0)
                        for dy in T.serial(CELL):
                            for dx in T.serial(CELL):
                                if first[0] + dy >= 0 and first[0] + dy < height:
                                    for c in T.unroll(3):
                                        colour[c] = colour[c] + image[first[0] + dy, first[1] + dx, c]
                                else:
                                    for c in T.unroll(3):
                                        colour[c] = colour[c] + T.float32(WHITE)
                        for c in T.unroll(3):
                            means[which[0], which[1], which[2] * 3 + c] = colour[c] * exact(
                                4 / (CELL * CELL * WHITE)) - T.float32(2)

    return image_cells.without_attr("global_symbol")


def hidden(width: int):
    """A kernel ``(x [rows, columns, FEATURES], w [FEATURES, width], b [width]) -> silu(x w + b)``."""

    @T.prim_func(s_tir=True)
    def image_hidden(x_handle: T.handle, weight: T.Buffer((FEATURES, width), "float32"),
                     bias: T.Buffer((width,), "float32"), y_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        rows = T.int32()
        columns = T.int32()
        x = T.match_buffer(x_handle, (rows, columns, FEATURES), "float32")
        y = T.match_buffer(y_handle, (rows, columns, width), "float32")
        for block in T.thread_binding(_blocks(rows * columns * width), "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("hidden"):
                    T.reads()
                    T.writes()
                    which = T.sblock_alloc_buffer((3,), "int32", scope="local")
                    acc = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    if block * LANES + lane < rows * columns * width:
                        which[0] = (block * LANES + lane) // width // columns
                        which[1] = (block * LANES + lane) // width % columns
                        which[2] = (block * LANES + lane) % width
                        acc[0] = bias[which[2]]
                        for i in T.serial(FEATURES):
                            acc[0] = acc[0] + x[which[0], which[1], i] * weight[i, which[2]]
                        y[which[0], which[1], which[2]] = acc[0] / (T.float32(1) + T.exp(-acc[0]))

    return image_hidden.without_attr("global_symbol")


def tokens(width: int, n: int):
    """A kernel ``(crops [rows, columns, width], whole [P, P, width], w [width, n], marks [2, n]) -> [count, n]``.

    Each row of tokens ends with the first mark. The second mark is between the crops and the whole image.
    """

    @T.prim_func(s_tir=True)
    def image_tokens(crops_handle: T.handle, whole: T.Buffer((PER_CROP, PER_CROP, width), "float32"),
                     weight: T.Buffer((width, n), "float32"), marks: T.Buffer((2, n), "float32"), y_handle: T.handle):
        T.func_attr({"tirx.noalias": True, "tirx.is_scheduled": True})
        rows = T.int32()
        columns = T.int32()
        count = T.int32()
        crops = T.match_buffer(crops_handle, (rows, columns, width), "float32")
        y = T.match_buffer(y_handle, (count, n), "float32")
        for block in T.thread_binding(_blocks(count * n), "blockIdx.x"):
            for lane in T.thread_binding(LANES, "threadIdx.x"):
                with T.sblock("tokens"):
                    T.reads()
                    T.writes()
                    which = T.sblock_alloc_buffer((3,), "int32", scope="local")
                    acc = T.sblock_alloc_buffer((1,), "float32", scope="local")
                    if block * LANES + lane < count * n:
                        which[0] = (block * LANES + lane) // n
                        which[2] = (block * LANES + lane) % n
                        acc[0] = T.float32(0)
                        if which[0] < rows * (columns + 1):
                            which[1] = which[0] % (columns + 1)
                            which[0] = which[0] // (columns + 1)
                            if which[1] < columns:
                                for i in T.serial(width):
                                    acc[0] = acc[0] + crops[which[0], which[1], i] * weight[i, which[2]]
                            else:
                                acc[0] = marks[0, which[2]]
                        else:
                            which[0] = which[0] - rows * (columns + 1) - 1
                            if which[0] < 0:
                                acc[0] = marks[1, which[2]]
                            else:
                                which[1] = which[0] % (PER_CROP + 1)
                                which[0] = which[0] // (PER_CROP + 1)
                                if which[1] < PER_CROP:
                                    for i in T.serial(width):
                                        acc[0] = acc[0] + whole[which[0], which[1], i] * weight[i, which[2]]
                                else:
                                    acc[0] = marks[0, which[2]]
                        y[(block * LANES + lane) // n, (block * LANES + lane) % n] = acc[0]

    return image_tokens.without_attr("global_symbol")
