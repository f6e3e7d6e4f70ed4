"""Measures the GGUF files with native llama.cpp on drawings that training never saw.

usage: PYTHONPATH=../training:../tiny-chat python evaluate.py PROGRAM MODEL_DIR COUNT [--write]

PROGRAM is look.cpp, compiled. An answer is right if every character is.
"""

import hashlib
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path

from drawings import Figure, draw, draw_figure
from native import Case, answers
from questions import ANSWERS, NTH, TWO, Message, about_none, named, sentence, with_picture

HERE = Path(__file__).resolve().parent
SEED = 20_000_003
KINDS = ("figure", "colour", "shape")
HELD_OUT = {  # pairs of shape and colour, sizes
    "drawings": (False, False),
    "sizes": (False, True),
    "pairs of shape and colour": (True, False),
    "pairs and sizes": (True, True),
}

Asked = tuple[Case, str]  # with the right answer


def ask_about_one(rng: random.Random, kind: int, pairs: bool, sizes: bool) -> Asked:
    figure = draw_figure(rng, held_out=pairs)
    questions, answer = ANSWERS[kind]
    message = Message("user", with_picture(rng, rng.choice(questions)))
    return Case([message], [draw(rng, figure, held_out=sizes)]), answer(figure)


def two_pictures(rng: random.Random) -> tuple[list[Figure], list]:
    figures = [draw_figure(rng, held_out=False) for _ in range(2)]
    return figures, [draw(rng, figure) for figure in figures]


def ask_about_both(rng: random.Random) -> Asked:
    (first, second), pictures = two_pictures(rng)
    message = Message("user", with_picture(rng, rng.choice(TWO), 2))
    return Case([message], pictures), sentence(f"{named(first)} and {named(second)}")


def ask_about_nth(rng: random.Random) -> Asked:
    figures, pictures = two_pictures(rng)
    nth = rng.randrange(2)
    question = rng.choice(NTH).format(("first", "second")[nth])
    return Case([Message("user", with_picture(rng, question, 2))], pictures), sentence(named(figures[nth]))


def ask_again(rng: random.Random) -> Asked:
    case, answer = ask_about_one(rng, rng.randrange(3), False, False)
    figure = draw_figure(rng, held_out=False)
    questions, its_answer = ANSWERS[rng.randrange(3)]
    messages = [*case.messages, Message("assistant", answer)]
    if rng.random() < 0.5:
        messages.append(Message("user", with_picture(rng, rng.choice(questions))))
        return Case(messages, [*case.pictures, draw(rng, figure)]), its_answer(figure)
    return ask_about_same(rng)


def ask_about_same(rng: random.Random) -> Asked:
    figure = draw_figure(rng, held_out=False)
    first, second = (ANSWERS[rng.randrange(3)] for _ in range(2))
    messages = [
        Message("user", with_picture(rng, rng.choice(first[0]))),
        Message("assistant", first[1](figure)),
        Message("user", rng.choice(second[0])),
    ]
    return Case(messages, [draw(rng, figure)]), second[1](figure)


def ask_about_none(rng: random.Random) -> Asked:
    question, answer = about_none(rng)
    return Case([question], []), answer.content


def groups() -> dict[str, Callable[[random.Random], Asked]]:
    found: dict[str, Callable[[random.Random], Asked]] = {}
    for split, (pairs, sizes) in HELD_OUT.items():
        for kind, name in enumerate(KINDS):
            found[f"held-out {split}: {name}"] = lambda rng, kind=kind, pairs=pairs, sizes=sizes: ask_about_one(
                rng, kind, pairs, sizes
            )
    return found | {
        "two pictures: both": ask_about_both,
        "two pictures: the first or the second": ask_about_nth,
        "a second question, about the same or another picture": ask_again,
        "no picture": ask_about_none,
    }


def main() -> None:
    program, model, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    report: dict[str, dict[str, float]] = {}
    for number, (name, ask) in enumerate(groups().items()):
        rng = random.Random(SEED + number)
        asked = [ask(rng) for _ in range(count)]
        found = answers(program, model, [case for case, _ in asked])
        wrong = [(right, answer.text) for (_, right), answer in zip(asked, found, strict=True) if answer.text != right]
        report[name] = {
            "asked": count,
            "right": count - len(wrong),
            "percent": round(100 - 100 * len(wrong) / count, 2),
        }
        print(f"{name}: {report[name]['percent']} %", *wrong[:4], flush=True)
    one = [figures for name, figures in report.items() if name.startswith("held-out")]
    asked, right = (sum(figures[key] for figures in one) for key in ("asked", "right"))
    total = {"asked": asked, "right": right, "percent": round(100 * right / asked, 2)}
    print("one picture:", total)
    if "--write" in sys.argv:
        files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(model.glob("*.gguf"))}
        text = json.dumps({"sha256": files, "one picture": total, "groups": report}, indent=2)
        (HERE / "report.json").write_text(f"{text}\n")


if __name__ == "__main__":
    main()
