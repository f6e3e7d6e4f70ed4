"""``python -m check.seeing SHAPE.json PACK_FOLDER REFERENCE.json``: writes what a pack that sees should answer.

The reference has, for each case, a picture, a question, the number of the prompt's tokens, the greedy answer, and the
TOP most probable tokens of each step with the natural logarithms of their probabilities.
"""

import json
import pathlib
import sys

import numpy as np
from tokenizers import Tokenizer

from compiler.shape import Shape

from .__main__ import answer_after, one_line_per_step
from .eye import Eye
from .llama import Llama
from .pack import Pack

# Narrow pictures have the fewest tokens: web-llm counts crops.
CASES = [
    {"picture": {"width": 60, "height": 270, "colour": [200, 30, 40]}, "text": "What is it?"},
    {"picture": {"width": 60, "height": 270, "colour": [20, 60, 220]}, "text": "What is it?"},
    {"picture": {"width": 90, "height": 300, "colour": [20, 160, 60]}, "text": "Tell me a story."},
]


# As the model's template begins an answer that is not to be thought about.
NO_THOUGHTS = "<think>\n\n</think>\n\n"


def drawn(width: int, height: int, colour: list[int]) -> np.ndarray:
    """A disc on a background that is darker below. test/support/sight/tiny-look.ts draws the same."""
    y, x = np.mgrid[:height, :width]
    background = np.repeat((250 - y * 120 // height)[..., None], 3, axis=-1)
    inside = (2 * x - width) ** 2 + (2 * y - height) ** 2 < (width * 3 // 4) ** 2
    return np.where(inside[..., None], np.array(colour), background)


def main(shape_file: str, pack_folder: str, out: str) -> None:
    """Writes the reference of one pack."""
    pack = Pack(pathlib.Path(pack_folder))
    tokenizer = Tokenizer.from_file(str(pack.folder / "tokenizer.json"))
    model, eye = Llama(pack, Shape.read(pathlib.Path(shape_file))), Eye(pack)

    def embedded(text: str) -> np.ndarray:
        return model.embedding[tokenizer.encode(text, add_special_tokens=False).ids]

    cases = []
    for case in CASES:
        model.reset()
        image = eye.embed(drawn(**case["picture"]))
        prompt = np.concatenate([
            embedded("<|im_start|>user\n"), image,
            embedded(f"\n{case['text']}<|im_end|>\n<|im_start|>assistant\n{NO_THOUGHTS}"),
        ])
        answer = answer_after(model.read(prompt), model, tokenizer, pack.stop_tokens())
        cases.append(case | {"promptTokens": len(prompt), "imageTokens": len(image)} | answer)
    text = one_line_per_step({"weightsSha256": pack.weights_sha256, "cases": cases})
    pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
