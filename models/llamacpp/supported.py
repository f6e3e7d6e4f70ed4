"""
Writes src/core/files/gguf/llamacpp-build.ts: what this repository's build of llama.cpp can run.

    python3 models/llamacpp/supported.py SOURCE > src/core/files/gguf/llamacpp-build.ts

SOURCE is the folder of llama.cpp's source that build.sh compiles. What of mtmd it does not compile is in left-out.cpp.
"""

import re
import runpy
import sys
import textwrap
from pathlib import Path

# Their outputs are not text of a conversation: images, sound, or proposals for another model.
NOT_TEXT = {"clip", "qwen3tts", "pockettts", "gemma4-assistant"}


def body(source: str, start: str) -> str:
    """The text from `start` to the end of its block."""
    begin = source.index(start)
    return source[begin : source.index("\n}", begin)]


def cases(text: str) -> set[str]:
    return set(re.findall(r"case (LLM_ARCH_\w+):", text))


def names_of(source: Path) -> dict[str, str]:
    """llama.cpp's identifiers of architectures → their names."""
    text = (source / "src/llama-arch.cpp").read_text()
    return dict(re.findall(r'\{ (LLM_ARCH_\w+),\s*"([^"]+)"', text))


def architectures(source: Path) -> list[str]:
    names = names_of(source)
    model = (source / "src/llama-model.cpp").read_text()
    created = set(re.findall(r"case (LLM_ARCH_\w+):\s+return new llama_model", model))
    memory = body(model, "llama_model::create_memory")
    # They have no KV cache: they compute embeddings, or write by diffusion.
    without_cache = cases(memory[: memory.index("res = nullptr")])
    with_encoder = cases(body(model, "bool llama_model_has_encoder"))
    found = {names[name] for name in created - without_cache - with_encoder}
    return sorted(found - NOT_TEXT)


def projectors(source: Path) -> list[str]:
    """Values of `clip.projector_type` of projectors for images."""
    mtmd = source / "tools/mtmd"
    names = dict(re.findall(r'\{ (PROJECTOR_TYPE_\w+),\s*"([^"]+)"', (mtmd / "clip-impl.h").read_text()))
    graphs = body((mtmd / "clip.cpp").read_text(), "static std::unique_ptr<clip_graph> clip_get_graph_builder")
    cases = re.findall(r"((?:case PROJECTOR_TYPE_\w+:.*\s+)+)\{[^}]*?clip_graph_(\w+)>", graphs)
    left_out = set(re.findall(r"clip_graph_(\w+)::build\(", (Path(__file__).parent / "left-out.cpp").read_text()))
    found = {
        names[kind]
        for kinds, graph in cases
        if graph not in left_out
        for kind in re.findall(r"case (PROJECTOR_TYPE_\w+)", kinds)
        if kind in names
    }
    # A model that hears, too: clip.cpp takes its eyes for those of Qwen2.5-VL.
    return sorted(found | {names["PROJECTOR_TYPE_QWEN25O"]})


def embedders(source: Path) -> list[str]:
    """Architectures without a KV cache that compute embeddings."""
    names = names_of(source)
    model = (source / "src/llama-model.cpp").read_text()
    memory = body(model, "llama_model::create_memory")
    found = cases(memory[: memory.index("res = nullptr")])
    return sorted({names[name] for name in found if "BERT" in name or "EMBEDDING" in name})


def graph_nodes(source: Path) -> list[str]:
    """`architecture number`: nodes that a graph has room for, for each tensor, where it is not the usual number."""
    names = names_of(source)
    nodes = body((source / "src/llama-context.cpp").read_text(), "uint32_t llama_context::graph_max_nodes")
    branches = re.findall(r"if \((.*?)\) \{[^}]*?(\d+)u ?\* ?model\.n_tensors", nodes, re.S)
    found = {
        names[name]: count
        for condition, count in branches
        for name in re.findall(r"LLM_ARCH_\w+", condition)
    }
    known = architectures(source)
    return sorted(f"{name} {count}" for name, count in found.items() if name in known)


def tokenizers(vocabulary: str) -> list[str]:
    names = set(re.findall(r'tokenizer_model == "([^"]+)"', vocabulary))
    return sorted(names - {"none", "no_vocab", "test"})


def pre_tokenizers(vocabulary: str) -> list[str]:
    return sorted(set(re.findall(r'tokenizer_pre == "([^"]+)"', vocabulary)))


def tensor_types(source: Path, constants: dict) -> list[str]:
    """`number name values bytes` of each type that the CPU's matrix multiplication reads, and of integers."""
    traits = (source / "ggml/src/ggml-cpu/ggml-cpu.c").read_text()
    start = "type_traits_cpu[GGML_TYPE_COUNT] = {"
    table = traits[traits.index(start) + len(start) :]
    table = table[: table.index("\n};")]
    blocks = re.findall(r"\[GGML_TYPE_(\w+)\] = \{(.*?)\n    \}", table, re.S)
    computed = {name for name, traits in blocks if re.search(r"\.vec_dot\s+=", traits)}
    integers = {"I8", "I16", "I32", "I64"}
    return [
        f"{kind.value} {kind.name} {values} {size}"
        for kind, (values, size) in constants["GGML_QUANT_SIZES"].items()
        if kind.name in computed | integers
    ]


def file_types(constants: dict) -> list[str]:
    kinds = [kind for kind in constants["LlamaFileType"] if kind.name != "GUESSED"]
    return [f"{kind.value} {re.sub('^(ALL|MOSTLY)_', '', kind.name)}" for kind in kinds]


def words(items: list[str]) -> str:
    indent = {"initial_indent": "  ", "subsequent_indent": "  "}
    return textwrap.fill(" ".join(items), 96, break_on_hyphens=False, **indent)


def rows(items: list[str]) -> str:
    """No line ends within a row."""
    return words([f"{item},".replace(" ", "\0") for item in items]).replace("\0", " ").rstrip(",")


def main(source: Path) -> None:
    vocabulary = (source / "src/llama-vocab.cpp").read_text()
    constants = runpy.run_path(str(source / "gguf-py/gguf/constants.py"))
    print(f"""\
// Written by models/llamacpp/supported.py from the source of llama.cpp that models/llamacpp/built is made of.

/** Architectures that write text. */
export const ARCHITECTURES = set(`
{words(architectures(source))}
`);

/** Architectures that compute embeddings, and write no text. */
export const EMBEDDERS = set(`
{words(embedders(source))}
`);

/** Types of projectors, which turn images into tokens. */
export const PROJECTORS = set(`
{words(projectors(source))}
`);

/** Values of `tokenizer.ggml.model`. */
export const TOKENIZERS = set(`
{words(tokenizers(vocabulary))}
`);

/** Values of `tokenizer.ggml.pre`, which the BPE tokenizers have. */
export const PRE_TOKENIZERS = set(`
{words(pre_tokenizers(vocabulary))}
`);

/** A type of tensors: `blockValues` values take `blockBytes` bytes. */
export interface TensorType {{
  name: string;
  blockValues: number;
  blockBytes: number;
}}

/** By ggml's number, the types that can be computed with. */
export const TENSOR_TYPES = tensorTypes(`
{rows(tensor_types(source, constants))}
`);

/** Nodes of a graph for each of the model's tensors, for architectures that need more than others. */
export const GRAPH_NODES = graphNodes(`
{rows(graph_nodes(source))}
`);

/** Names of quantisations by the number in `general.file_type`. */
export const FILE_TYPES = fileTypes(`
{rows(file_types(constants))}
`);

function set(text: string): ReadonlySet<string> {{
  return new Set(text.trim().split(/\\s+/));
}}

function tensorTypes(text: string): ReadonlyMap<number, TensorType> {{
  const types = rows(text).map(([number, name = '', values, bytes]) => {{
    const type = {{ name, blockValues: Number(values), blockBytes: Number(bytes) }};
    return [Number(number), type] as const;
  }});
  return new Map(types);
}}

function graphNodes(text: string): ReadonlyMap<string, number> {{
  return new Map(rows(text).map(([name = '', nodes]) => [name, Number(nodes)]));
}}

function fileTypes(text: string): ReadonlyMap<number, string> {{
  return new Map(rows(text).map(([number, name = '']) => [Number(number), name]));
}}

function rows(text: string): string[][] {{
  return text.split(',').map((row) => row.trim().split(/\\s+/));
}}""")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
