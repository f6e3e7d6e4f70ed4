"""``python -m check SHAPE.json PACK_FOLDER REFERENCE.json``: writes what a pack should answer.

The reference has, for each turn, the tokens of its text and the TOP most probable tokens of each greedy step,
with the natural logarithms of their probabilities. A turn continues the conversation of the turn before, whose
stop token is left out.
"""

import json
import pathlib
import re
import sys

import numpy as np
from tokenizers import Tokenizer

from compiler.shape import Shape

from .conversations import conversations
from .llama import Llama
from .pack import Pack

TOP = 8
MAX_TOKENS = 24


def most_probable(logits: np.ndarray) -> list[list]:
    """The TOP pairs of token and logprob, best first."""
    shifted = logits.astype(np.float64) - logits.max()
    logprobs = shifted - np.log(np.exp(shifted).sum())
    best = np.argsort(-logprobs, kind="stable")[:TOP]
    return [[int(token), round(float(logprobs[token]), 5)] for token in best]


def run_turn(model: Llama, tokenizer: Tokenizer, text: str, stop: list[int]) -> dict:
    """Feeds a turn and answers it greedily."""
    tokens = tokenizer.encode(text, add_special_tokens=False).ids
    return {"text": text, "tokens": tokens} | answer_after(model.feed(tokens), model, tokenizer, stop)


def answer_after(logits: np.ndarray, model: Llama, tokenizer: Tokenizer, stop: list[int]) -> dict:
    """The greedy answer after a prompt with these logits."""
    steps, answer = [], []
    while True:
        steps.append(most_probable(logits))
        token = steps[-1][0][0]
        if token in stop:
            finish = "stop"
            break
        answer.append(token)
        if len(answer) == MAX_TOKENS:
            finish = "length"
            break
        logits = model.feed([token])
    return {"answer": tokenizer.decode(answer, skip_special_tokens=False), "finish": finish, "steps": steps}


def main(shape_file: str, pack_folder: str, out: str) -> None:
    """Writes the reference of one pack."""
    shape = Shape.read(pathlib.Path(shape_file))
    pack = Pack(pathlib.Path(pack_folder))
    tokenizer = Tokenizer.from_file(str(pack.folder / "tokenizer.json"))
    model = Llama(pack, shape)
    results = []
    for conversation in conversations(shape.name):
        model.reset()
        turns = []
        for text in conversation["turns"]:
            turns.append(run_turn(model, tokenizer, text, pack.stop_tokens()))
            if turns[-1]["finish"] != "stop":
                break  # after an answer that was cut off, web-llm prefills from the start: no warm cache to check
        results.append({"name": conversation["name"], "turns": turns})
    reference = {"weightsSha256": pack.weights_sha256, "conversations": results}
    path = pathlib.Path(out)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(one_line_per_step(reference))


def one_line_per_step(reference: dict) -> str:
    """JSON in which each list of numbers, and each list of pairs, is on one line."""
    text = json.dumps(reference, indent=1, ensure_ascii=False)
    numbers = r"\[[-+.e\d,\s]*\]"
    return re.sub(rf"\[(?:\s*{numbers},?)+\s*\]|{numbers}", _on_one_line, text) + "\n"


def _on_one_line(match: re.Match) -> str:
    return re.sub(r"\s+", " ", match[0]).replace("[ ", "[").replace(" ]", "]")


if __name__ == "__main__":
    main(*sys.argv[1:])
