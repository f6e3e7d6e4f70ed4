"""Compares the GGUF file with the pack: the same tokens, the same logits, the same greedy answers.

llama.cpp computes with the GGUF file. The pack is computed with numpy in f32, as models/library/check does.

usage: PYTHONPATH=../library python check_gguf.py PACK_DIR GGUF_FILE [COUNT]   (held-out prompts of each kind)
needs:  pip install llama-cpp-python==0.3.36 numpy==2.4.6 tokenizers==0.23.3
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from check.llama import Llama as Reference
from check.pack import Pack
from compiler.shape import Shape
from llama_cpp import Llama
from tokenizers import Tokenizer

from everyday import everyday_cases
from held_out import Case, held_out_cases
from shape import END_ID, SHAPE

HERE = Path(__file__).resolve().parent
MOST_TOKENS = 400  # in an answer; the longest has about 310
# How much a logit may differ, by the type of llama.cpp's KV cache. F16, its default, costs more than all else.
LARGEST_DIFFERENCE = {"f32": 2e-2, "f16": 5e-2}
KV_TYPES = {"f32": 0, "f16": 1}  # ggml's numbers
LEAST_EQUAL = 0.95  # of the answers
RANDOM_TEXTS = 20_000
MOST_PIECES = 12  # in a random text

# Pieces on which pre-tokenizers differ: white space of all sorts, digits, contractions, signs, letters without case,
# marks, characters beyond 16 bits, and the texts of added tokens.
PIECES = (
    [" ", "  ", "\n", "\n\n", "\r\n", "\t", "\v", "\u00a0", "\u0085", "\u2028", "\u3000", "\u200b", "\ufeff"]
    + ["0", "7", "42", "½", "²", "Ⅷ", "٣", "’", "'s", "'S", "'ll", "n't", "-", "--", "...", "+", "=", "{", '"', '":', "_"]
    + ["a", "Zebra", "the", "capital", "é", "e\u0301", "ß", "ж", "中文", "日", "한", "ا", "क्षि", "😀", "👩‍👩‍👧", "🇫🇷", "𝒳"]
    + ["<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "<|im_start|>", "<|im_end|>"]
    + ["<|endoftext|>", "<", "<|", "|>", "<think", "im_end"]
)


@dataclass
class Compared:
    difference: float  # the largest of a logit
    same_answer: bool


class Engines:
    """Both engines, with one conversation each."""

    def __init__(self, pack_folder: Path, gguf: Path, kv_type: int) -> None:
        self.tokenizer = Tokenizer.from_file(str(pack_folder / "tokenizer.json"))
        self.reference = Reference(Pack(pack_folder), Shape.read(HERE.parent / "library" / "shapes" / "tiny-chat.json"))
        threads = {"n_threads": 1, "n_threads_batch": 1}
        cache = {"n_ctx": SHAPE.context, "type_k": kv_type, "type_v": kv_type}
        self.llama = Llama(str(gguf), n_batch=256, verbose=False, **threads, **cache)

    def same_tokens(self, text: str) -> bool:
        """Whether llama.cpp makes the same tokens of the text as the hub's tokenizer."""
        return self.llama.tokenize(text.encode(), add_bos=False, special=True) == self._tokens(text)

    def compare(self, prompt: str) -> Compared:
        """Answers greedily with the pack, and lets llama.cpp read the same tokens."""
        self.reference.reset()
        self.llama.reset()
        result = Compared(0.0, True)
        tokens = self._tokens(prompt)
        for _ in range(MOST_TOKENS):
            expected, found = self.reference.feed(tokens), self._feed(tokens)
            result.difference = max(result.difference, float(np.abs(expected - found).max()))
            tokens = [int(expected.argmax())]
            result.same_answer &= tokens[0] == int(found.argmax())
            if tokens[0] == END_ID:
                break
        return result

    def _tokens(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def _feed(self, tokens: list[int]) -> np.ndarray:
        self.llama.eval(tokens)
        return np.ctypeslib.as_array(self.llama._ctx.get_logits(), (SHAPE.vocab,)).copy()


def texts(cases: list[Case]) -> Iterator[str]:
    """Prompts and answers, and texts of random pieces."""
    for case in cases:
        yield case.prompt.text + case.prompt.expect
    draw = random.Random(1)
    for _ in range(RANDOM_TEXTS):
        yield "".join(draw.choices(PIECES, k=draw.randint(1, MOST_PIECES)))


def check_tokens(engines: Engines, cases: list[Case]) -> bool:
    different = [text for text in texts(cases) if not engines.same_tokens(text)]
    print(f"other tokens: {len(different)} texts {different[:5]!r}", flush=True)
    return not different


def check_answers(engines: Engines, cases: list[Case], kv_type: str) -> bool:
    compared = [engines.compare(case.prompt.text) for case in cases]
    equal = sum(each.same_answer for each in compared)
    difference = max(each.difference for each in compared)
    print(f"KV cache in {kv_type}: same answer {equal} of {len(cases)}, largest difference of a logit {difference:.5f}", flush=True)
    return difference <= LARGEST_DIFFERENCE[kv_type] and equal >= LEAST_EQUAL * len(cases)


def main(pack_folder: str, gguf: str, count: str = "20") -> bool:
    cases = [*everyday_cases(), *held_out_cases(int(count))]
    engines = {name: Engines(Path(pack_folder), Path(gguf), number) for name, number in KV_TYPES.items()}
    results = [check_tokens(engines["f32"], cases)]
    results += [check_answers(each, cases, name) for name, each in engines.items()]
    return all(results)


if __name__ == "__main__":
    sys.exit(0 if main(*sys.argv[1:]) else 1)
