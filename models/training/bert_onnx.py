"""BERT as an ONNX graph, from the weights of bert.py. Initialisers have the hub's names; matrices are [in, out]."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from bert import MASKED, SHAPE, Shape

OPSET = 17  # the first with LayerNormalization
IR_VERSION = 8  # the one of that opset
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class Graph:
    """Collects nodes and initialisers. Its methods return the name of what the new node computes."""

    def __init__(self, weights: Mapping[str, np.ndarray], shape: Shape) -> None:
        self.weights = weights
        self.shape = shape
        self.nodes: list[onnx.NodeProto] = []
        self.initialisers: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: np.ndarray) -> str:
        self.initialisers[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def integers(self, *values: int) -> str:
        return self.constant("integers." + ".".join(map(str, values)), np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(f"number.{value:.6g}", np.array(value, np.float32))

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: object) -> str:
        output = name or f"{kind.lower()}.{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], name=f"make.{output}", **attributes))
        return output

    def affine(self, name: str, x: str, matrix: np.ndarray, bias: np.ndarray, output: str = "") -> str:
        product = self.node("MatMul", x, self.constant(f"{name}.weight", matrix))
        return self.node("Add", product, self.constant(f"{name}.bias", bias), name=output)

    def linear(self, name: str, x: str, ours: str, output: str = "") -> str:
        """`ours` is the name of the weights in bert.py."""
        return self.affine(name, x, self.weights[ours], self.weights[f"{ours}.bias"], output)

    def norm(self, name: str, x: str, ours: str, output: str = "") -> str:
        weight = self.constant(f"{name}.weight", self.weights[f"{ours}.scale"])
        bias = self.constant(f"{name}.bias", self.weights[f"{ours}.shift"])
        return self.node("LayerNormalization", x, weight, bias, axis=-1, epsilon=self.shape.eps, name=output)

    def gelu(self, x: str) -> str:
        erf = self.node("Erf", self.node("Div", x, self.number(2**0.5)))
        return self.node("Mul", self.node("Mul", x, self.node("Add", erf, self.number(1.0))), self.number(0.5))


def embeddings(graph: Graph) -> str:
    def table(name: str, ours: str) -> str:
        return graph.constant(f"embeddings.{name}_embeddings.weight", graph.weights[ours])

    length = graph.node("Slice", graph.node("Shape", "input_ids"), graph.integers(1), graph.integers(2))
    positions = graph.node("Slice", table("position", "embed_positions"), graph.integers(0), length, graph.integers(0))
    tokens = graph.node("Gather", table("word", "embed_tokens"), "input_ids")
    types = graph.node("Gather", table("token_type", "embed_types"), "token_type_ids")
    x = graph.node("Add", graph.node("Add", tokens, types), positions)
    return graph.norm("embeddings.LayerNorm", x, "embed_norm")


def attention(graph: Graph, layer: int, x: str, mask: str) -> str:
    shape, ours, theirs = graph.shape, f"layers.{layer}.qkv", f"encoder.layer.{layer}.attention.self"
    matrices, biases = np.split(graph.weights[ours], 3, axis=1), np.split(graph.weights[f"{ours}.bias"], 3)
    heads = []
    for part, matrix, bias in zip(("query", "key", "value"), matrices, biases, strict=True):
        split = graph.affine(f"{theirs}.{part}", x, matrix, bias)
        split = graph.node("Reshape", split, graph.integers(0, 0, shape.heads, shape.head_dim))
        heads.append(graph.node("Transpose", split, perm=(0, 2, 3, 1) if part == "key" else (0, 2, 1, 3)))
    query, key, value = heads
    scores = graph.node("Mul", graph.node("MatMul", query, key), graph.number(shape.head_dim**-0.5))
    shares = graph.node("Softmax", graph.node("Add", scores, mask), axis=-1)
    joined = graph.node("Transpose", graph.node("MatMul", shares, value), perm=(0, 2, 1, 3))
    return graph.node("Reshape", joined, graph.integers(0, 0, shape.hidden))


def encoder_layer(graph: Graph, layer: int, x: str, mask: str, output: str) -> str:
    ours, theirs = f"layers.{layer}", f"encoder.layer.{layer}"
    attended = graph.linear(f"{theirs}.attention.output.dense", attention(graph, layer, x, mask), f"{ours}.o")
    x = graph.norm(f"{theirs}.attention.output.LayerNorm", graph.node("Add", x, attended), f"{ours}.attn_norm")
    up = graph.linear(f"{theirs}.intermediate.dense", x, f"{ours}.up")
    down = graph.linear(f"{theirs}.output.dense", graph.gelu(up), f"{ours}.down")
    return graph.norm(f"{theirs}.output.LayerNorm", graph.node("Add", x, down), f"{ours}.ffn_norm", output)


def encoder(graph: Graph) -> str:
    """The layers; the output's name is last_hidden_state."""
    padding = graph.node("Sub", graph.number(1.0), graph.node("Cast", "attention_mask", to=TensorProto.FLOAT))
    mask = graph.node("Unsqueeze", graph.node("Mul", padding, graph.number(MASKED)), graph.integers(1, 2))
    x = embeddings(graph)
    for layer in range(graph.shape.layers):
        is_last = layer == graph.shape.layers - 1
        x = encoder_layer(graph, layer, x, mask, "last_hidden_state" if is_last else "")
    return x


def classifier(graph: Graph, hidden: str) -> str:
    """The pooled first token through the classifier; the output's name is logits."""
    first = graph.node("Gather", hidden, graph.constant("first", np.array(0, np.int64)), axis=1)
    pooled = graph.node("Tanh", graph.linear("pooler.dense", first, "pooler"))
    return graph.linear("classifier", pooled, "classifier", "logits")


def write(weights: Mapping[str, np.ndarray], path: Path, shape: Shape = SHAPE) -> None:
    """Writes the encoder, or the whole cross-encoder if there are weights of a classifier."""
    graph = Graph(weights, shape)
    output, axes = encoder(graph), ["batch", "sequence", shape.hidden]
    if "classifier" in weights:
        output, axes = classifier(graph, output), ["batch", 1]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"]) for name in INPUTS]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, axes)]
    document = helper.make_model(
        helper.make_graph(graph.nodes, "bert", inputs, outputs, list(graph.initialisers.values())),
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="slashv1",
    )
    onnx.checker.check_model(document, full_check=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(document, path)
