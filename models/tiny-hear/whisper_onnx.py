"""Whisper as two ONNX graphs with the inputs and outputs of Optimum's: the encoder, and the decoder with its cache.

Matrices are stored as 16-bit floats, which halves the files; the graphs compute with 32 bits.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from bert_onnx import IR_VERSION, OPSET, Graph
from whisper import MASKED, SHAPE, Shape, sinusoids

Value = onnx.ValueInfoProto


class HalfGraph(Graph):
    """Names the initialisers of matrices like the weights, with 16 bits."""

    def half(self, name: str, value: np.ndarray) -> str:
        if f"{name}.half" not in self.initialisers:
            self.node("Cast", self.constant(f"{name}.half", value.astype(np.float16)), name=name, to=TensorProto.FLOAT)
        return name

    def dense(self, name: str, x: str) -> str:
        product = self.node("MatMul", x, self.half(f"{name}.weight", self.weights[name]))
        return self.node("Add", product, self.constant(f"{name}.bias", self.weights[f"{name}.bias"]))

    def normed(self, name: str, x: str, output: str = "") -> str:
        return self.norm(name, x, name, output)

    def heads(self, name: str, x: str) -> str:
        """[batch, head, time, head_dim]"""
        sizes = self.integers(0, 0, self.shape.heads, self.shape.head_dim)
        return self.node("Transpose", self.node("Reshape", self.dense(name, x), sizes), perm=(0, 2, 1, 3))

    def attend(self, name: str, query: str, key: str, value: str, mask: str = "", shares: str = "") -> str:
        turned = self.node("Transpose", key, perm=(0, 1, 3, 2))
        scores = self.node("Mul", self.node("MatMul", query, turned), self.number(self.shape.head_dim**-0.5))
        if mask:
            scores = self.node("Add", scores, mask)
        weights = self.node("Softmax", scores, axis=-1, name=shares)
        joined = self.node("Transpose", self.node("MatMul", weights, value), perm=(0, 2, 1, 3))
        return self.dense(f"{name}.out", self.node("Reshape", joined, self.integers(0, 0, self.shape.hidden)))

    def feed_forward(self, name: str, x: str) -> str:
        inner = self.gelu(self.dense(f"{name}.up", self.normed(f"{name}.ffn_norm", x)))
        return self.node("Add", x, self.dense(f"{name}.down", inner))

    def convolve(self, name: str, x: str, stride: int = 1, dilation: int = 1) -> str:
        """Of three frames, on [batch, channel, time]."""
        matrix = self.weights[name]
        weight = self.half(f"{name}.weight", matrix.reshape(3, -1, matrix.shape[1]).transpose(2, 1, 0))
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        pads, sizes = [dilation, dilation], {"kernel_shape": [3], "strides": [stride], "dilations": [dilation]}
        return self.gelu(self.node("Conv", x, weight, bias, pads=pads, **sizes))

    def save(self, path: Path, inputs: Sequence[Value], outputs: Sequence[Value]) -> None:
        document = helper.make_model(
            helper.make_graph(self.nodes, "whisper", inputs, outputs, list(self.initialisers.values())),
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="slashv1",
        )
        onnx.checker.check_model(document, full_check=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        onnx.save(document, path)


def floats(name: str, *sizes: str | int) -> Value:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)


def write_encoder(weights: Mapping[str, np.ndarray], path: Path, shape: Shape = SHAPE) -> None:
    graph = HalfGraph(weights, shape)
    x = graph.convolve("conv2", graph.convolve("conv1", "input_features"), stride=2)
    x = graph.node("Transpose", x, perm=(0, 2, 1))
    for index, dilation in enumerate(shape.dilations):
        name = f"encoder.{index}"
        normed = graph.node("Transpose", graph.normed(f"{name}.norm", x), perm=(0, 2, 1))
        seen = graph.node("Transpose", graph.convolve(f"{name}.up", normed, dilation=dilation), perm=(0, 2, 1))
        x = graph.node("Add", x, graph.dense(f"{name}.down", seen))
    positions = graph.half("positions", sinusoids(shape.positions, shape.hidden))
    graph.node("Add", graph.normed("encoder_norm", x), positions, name="last_hidden_state")
    inputs = [floats("input_features", "batch_size", shape.mels, 2 * shape.positions)]
    graph.save(path, inputs, [floats("last_hidden_state", "batch_size", shape.positions, shape.hidden)])


def cross_keys(graph: HalfGraph, index: int) -> tuple[str, str]:
    """Keys and values of the encoder's output: those of the cache if there is one, otherwise made from the output."""
    outer, branches = graph.nodes, []
    for part in ("key", "value"):
        graph.half(f"decoder.{index}.cross.{part}.weight", graph.weights[f"decoder.{index}.cross.{part}"])
    for is_cached in (True, False):
        graph.nodes, names = [], []
        for part in ("key", "value"):
            if is_cached:
                names.append(
                    graph.node("Identity", f"past_key_values.{index}.encoder.{part}", name=f"cached.{index}.{part}")
                )
            else:
                made = graph.heads(f"decoder.{index}.cross.{part}", "encoder_hidden_states")
                names.append(graph.node("Identity", made, name=f"made.{index}.{part}"))
        sizes = ("batch_size", graph.shape.heads, f"{'past' if is_cached else 'encoder'}_length", graph.shape.head_dim)
        branches.append(
            helper.make_graph(graph.nodes, f"{names[0]}.branch", [], [floats(name, *sizes) for name in names])
        )
    graph.nodes = outer
    outputs = [f"present.{index}.encoder.{part}" for part in ("key", "value")]
    then_branch, else_branch = branches
    flag = graph.node("Squeeze", "use_cache_branch")
    graph.nodes.append(
        helper.make_node("If", [flag], outputs, name=f"cross.{index}", then_branch=then_branch, else_branch=else_branch)
    )
    return outputs[0], outputs[1]


def causal_mask(graph: HalfGraph, past: str, time: str) -> str:
    """[time, past + time]: a token sees those before it and itself."""
    zero, one = (graph.constant(f"scalar.{value}", np.array(value, np.int64)) for value in (0, 1))
    total = graph.node("Add", past, time)
    rows = graph.node("Unsqueeze", graph.node("Range", past, total, one), graph.integers(1))
    columns = graph.node("Unsqueeze", graph.node("Range", zero, total, one), graph.integers(0))
    seen = graph.node("LessOrEqual", columns, rows)
    return graph.node("Where", seen, graph.number(0.0), graph.number(MASKED))


def length(graph: HalfGraph, value: str, axis: int) -> str:
    index = graph.constant(f"axis.{axis}", np.array(axis, np.int64))
    return graph.node("Gather", graph.node("Shape", value), index)


def decoder_layer(graph: HalfGraph, index: int, x: str, mask: str) -> str:
    name = f"decoder.{index}"
    normed = graph.normed(f"{name}.self_norm", x)
    query = graph.heads(f"{name}.self.query", normed)
    joined = [
        graph.node(
            "Concat",
            f"past_key_values.{index}.decoder.{part}",
            graph.heads(f"{name}.self.{part}", normed),
            axis=2,
            name=f"present.{index}.decoder.{part}",
        )
        for part in ("key", "value")
    ]
    x = graph.node("Add", x, graph.attend(f"{name}.self", query, *joined, mask))
    query = graph.heads(f"{name}.cross.query", graph.normed(f"{name}.cross_norm", x))
    crossed = graph.attend(f"{name}.cross", query, *cross_keys(graph, index), shares=f"cross_attentions.{index}")
    return graph.feed_forward(name, graph.node("Add", x, crossed))


def write_decoder(weights: Mapping[str, np.ndarray], table: np.ndarray, path: Path, shape: Shape = SHAPE) -> None:
    """`table` has the rows of all tokens, which are also those of the output."""
    graph = HalfGraph(weights, shape)
    past = length(graph, "past_key_values.0.decoder.key", 2)
    time = length(graph, "input_ids", 1)
    ends = [graph.node("Unsqueeze", at, graph.integers(0)) for at in (past, graph.node("Add", past, time))]
    positions = graph.half("embed_positions", weights["embed_positions"])
    tokens = graph.node("Gather", graph.half("embed_tokens", table), "input_ids")
    x = graph.node("Add", tokens, graph.node("Slice", positions, *ends, graph.integers(0)))
    mask = causal_mask(graph, past, time)
    for index in range(shape.decoder_layers):
        x = decoder_layer(graph, index, x, mask)
    turned = graph.node("Transpose", "embed_tokens", perm=(1, 0))
    graph.node("MatMul", graph.normed("decoder_norm", x), turned, name="logits")

    def cache(prefix: str, decoder: str, encoder: str) -> list[Value]:
        sizes = {"decoder": decoder, "encoder": encoder}
        return [
            floats(f"{prefix}.{index}.{side}.{part}", "batch_size", shape.heads, sizes[side], shape.head_dim)
            for index in range(shape.decoder_layers)
            for side in sizes
            for part in ("key", "value")
        ]

    inputs = [
        helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch_size", "decoder_sequence_length"]),
        floats("encoder_hidden_states", "batch_size", "encoder_sequence_length", shape.hidden),
        *cache("past_key_values", "past_decoder_sequence_length", "past_encoder_sequence_length"),
        helper.make_tensor_value_info("use_cache_branch", TensorProto.BOOL, [1]),
    ]
    outputs = [
        floats("logits", "batch_size", "decoder_sequence_length", table.shape[0]),
        *cache("present", "present_decoder_sequence_length", "present_encoder_sequence_length"),
        *(
            floats(f"cross_attentions.{index}", "batch_size", shape.heads, "decoder_sequence_length", "attended_length")
            for index in range(shape.decoder_layers)
        ),
    ]
    graph.save(path, inputs, outputs)
