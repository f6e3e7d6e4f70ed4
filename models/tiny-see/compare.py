"""Compares the GGUF files in native llama.cpp with the model in JAX: the logits after the prompts of conversations.

usage: PYTHONPATH=../training:../tiny-chat python compare.py PROGRAM MODEL_DIR TRAINED_DIR

PROGRAM is look.cpp, compiled. ggml looks GELU up in a table of F16, which is most of the difference.
"""

import random
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file

import eye
import seeing
from drawings import draw, draw_figure, draw_training_figure
from native import Case, lines
from questions import converse
from sizes import EYE, PAD_ID

SEED = 40_000_003
COUNT = 60  # conversations
LENGTH, MOST_PICTURES = 160, 2  # of a conversation, tokens and pictures
LARGEST_DIFFERENCE = 5e-3  # of a logit


def cases() -> list[Case]:
    rng = random.Random(SEED)
    found = []
    for number in range(COUNT):
        messages, figures = converse(rng, lambda: draw_training_figure(rng), lambda: draw_figure(rng, held_out=False))
        found.append(Case(messages[:-1], [draw(rng, figure, held_out=number % 2 == 0) for figure in figures]))
    return found


@jax.jit
def compute(params: eye.Params, pictures: jax.Array, ids: jax.Array, seen: jax.Array) -> jax.Array:
    return seeing.predict(params, eye.look(params, pictures), ids, seen)


def our_logits(params: eye.Params, reader: seeing.Reader, case: Case) -> np.ndarray:
    """Everything has the same shape, so that it is compiled once; what comes after the prompt changes nothing in it."""
    ids, seen, _ = reader.read(case.messages)
    ids += reader.text("<|im_start|>assistant\n")
    end = len(ids)
    seen += [seeing.NOT_SEEN] * (LENGTH - len(seen))
    pictures = np.zeros((MOST_PICTURES, EYE.side, EYE.side, 3), np.uint8)
    for number, picture in enumerate(case.pictures):
        pictures[number] = eye.pixels(picture)
    padded = np.array([ids + [PAD_ID] * (LENGTH - end)])
    return np.asarray(compute(params, pictures, padded, np.array([seen])))[0, end - 1]


def main() -> None:
    program, model, trained = (Path(path) for path in sys.argv[1:4])
    params = {name: jnp.asarray(value) for name, value in load_file(trained / "model.safetensors").items()}
    reader = seeing.Reader.load(trained / "tokenizer.json")
    asked = cases()
    theirs = [np.array(line.split(), np.float32) for line in lines(program, model, asked, logits=True)]
    ours = [our_logits(params, reader, case) for case in asked]
    largest = max(np.abs(one - other).max() for one, other in zip(ours, theirs, strict=True))
    same = sum(one.argmax() == other.argmax() for one, other in zip(ours, theirs, strict=True))
    print(f"{len(asked)} prompts: logits differ by at most {largest:.4f}, {same} have the same next token")
    if largest > LARGEST_DIFFERENCE:
        sys.exit(1)


if __name__ == "__main__":
    main()
