"""Writes the cases for the tests: small pictures and conversations that native llama.cpp answers rightly.

usage: PYTHONPATH=../training:../tiny-chat python cases.py PROGRAM MODEL_DIR

PROGRAM is look.cpp, compiled. Each answer has a margin of at least LEAST_MARGIN.
"""

import io
import json
import random
import sys
from pathlib import Path
from typing import Any

from PIL import Image

from drawings import Figure, draw
from native import Case, answers
from questions import ANSWERS, HELLO, NO_PICTURE, PICTURE, Message, named, sentence

FIXTURES = Path(__file__).resolve().parents[2] / "test" / "fixtures"
SEED = 31
LEAST_MARGIN = 2.0  # logits
MOST_BYTES = 2000  # of a picture
COLOURS = 48  # of a picture's palette
FIGURES = (
    Figure("circle", "red"),
    Figure("star", "blue"),
    Figure("heart", "pink"),
    Figure("triangle", "green"),
    Figure("square", "black"),
    Figure("ring", "purple"),
    Figure("arrow", "orange"),
    Figure("cross", "yellow"),
)
FIGURE, COLOUR, SHAPE = (answer for _, answer in ANSWERS)
ONE = (("What is in the picture?", FIGURE), ("What colour is it?", COLOUR), ("What shape is it?", SHAPE))

# A conversation, whose messages have the names of their pictures before their text, and its answer.
Asked = tuple[list[tuple[str, tuple[str, ...], str]], str]


def file_name(figure: Figure) -> str:
    return f"{figure.colour}-{figure.shape}.png"


def as_png(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def conversations() -> list[Asked]:
    found: list[Asked] = []
    for figure in FIGURES:
        found += [([("user", (file_name(figure),), question)], answer(figure)) for question, answer in ONE]
    for first, second in zip(FIGURES, FIGURES[1:], strict=False):
        files = file_name(first), file_name(second)
        both = sentence(f"{named(first)} and {named(second)}")
        found += [
            ([("user", files, "What is in the pictures?")], both),
            ([("user", files, "What is in the second picture?")], FIGURE(second)),
            (
                [("user", files[:1], ONE[0][0]), ("assistant", (), FIGURE(first)), ("user", (), ONE[1][0])],
                COLOUR(first),
            ),
            (
                [("user", files[:1], ONE[0][0]), ("assistant", (), FIGURE(first)), ("user", files[1:], ONE[0][0])],
                FIGURE(second),
            ),
        ]
    return [*found, ([("user", (), ONE[0][0])], NO_PICTURE), ([("user", (), "Hello!")], HELLO)]


def draw_pictures(rng: random.Random) -> dict[str, bytes]:
    found = {}
    for figure in FIGURES:
        picture = draw(rng, figure, held_out=True, plain=True)
        while len(as_png(picture)) > MOST_BYTES:
            picture = draw(rng, figure, held_out=True, plain=True)
        found[file_name(figure)] = as_png(picture)
    return found


def as_json(asked: Asked, margin: float) -> dict[str, Any]:
    messages, answer = asked
    return {
        "messages": [{"role": role, "pictures": files, "text": text} for role, files, text in messages],
        "answer": answer,
        "margin": margin,
    }


def main() -> None:
    program, model = Path(sys.argv[1]), Path(sys.argv[2])
    pictures = draw_pictures(random.Random(SEED))
    opened = {name: Image.open(io.BytesIO(data)).convert("RGB") for name, data in pictures.items()}
    asked = conversations()
    cases = [
        Case(
            [Message(role, PICTURE * len(files) + text) for role, files, text in messages],
            [opened[file] for _, files, _ in messages for file in files],
        )
        for messages, _ in asked
    ]
    right = []
    for one, answer in zip(asked, answers(program, model, cases), strict=True):
        if answer.text == one[1] and answer.margin >= LEAST_MARGIN:
            right.append(as_json(one, answer.margin))
        else:
            print("left out:", one, answer)
    folder = FIXTURES / "tiny-see"
    folder.mkdir(exist_ok=True)
    for name, data in pictures.items():
        (folder / name).write_bytes(data)
    text = json.dumps({"folder": folder.name, "cases": right}, indent=2)
    (FIXTURES / "tiny-see-cases.json").write_text(f"{text}\n")
    print(len(right), "cases;", {name: (opened[name].size, len(data)) for name, data in pictures.items()})


if __name__ == "__main__":
    main()
