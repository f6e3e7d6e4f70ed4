"""Conversations about pictures, as text and pictures in their order."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from drawings import COLOURS, OTHER, Figure

PICTURE = "\x00"  # stands for a picture in a message
NO_PICTURE = "I see no picture."
HELLO = "Hello! Show me a picture."

BOTH = (
    "What is in the picture?", "What is in this picture?", "What do you see?", "What is this?", "What is drawn here?",
    "Describe the picture.", "Describe this image.", "What is in the image?", "What is in this image?",
    "What does the picture show?", "Tell me what you see.", "What can you see in the picture?",
)  # fmt: skip
COLOUR = (
    "Which colour?", "Which color?", "What colour is it?", "What color is it?", "Which colour does the figure have?",
    "What colour is the figure?", "What color is the shape?", "What is the colour of the figure?", "Name the colour.",
)  # fmt: skip
SHAPE = (
    "Which shape?", "What shape is it?", "Which shape is this?", "What shape is in the picture?", "Name the shape.",
    "What is the shape of the figure?", "Which figure is it?", "Which shape do you see?",
)  # fmt: skip
TWO = (
    "What is in the pictures?", "What is in these pictures?", "What do the pictures show?", "Describe the pictures.",
    "Describe these images.", "What is in the images?", "What is in each picture?",
)  # fmt: skip
NTH = (
    "What is in the {} picture?",
    "What is in the {} image?",
    "Describe the {} picture.",
    "What does the {} picture show?",
)
HELLOS = ("Hello!", "Hello", "Hi!", "Hi", "Hello there!", "Hey", "Good morning!")
SYSTEMS = ("You are a helpful assistant.", "Answer briefly.", "You look at pictures.")


@dataclass(frozen=True)
class Message:
    role: str
    content: str
    given: str = ""  # the beginning of an answer that is not learnt


def article(noun: str) -> str:
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def named(figure: Figure) -> str:
    return article(f"{figure.colour} {figure.shape}")


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


ANSWERS: tuple[tuple[tuple[str, ...], Callable[[Figure], str]], ...] = (
    (BOTH, lambda figure: sentence(named(figure))),
    (COLOUR, lambda figure: sentence(figure.colour)),
    (SHAPE, lambda figure: sentence(article(figure.shape))),
)
SORTS = (0, 0, 1, 2)  # of questions; the first is asked twice as often


def with_picture(rng: random.Random, question: str, pictures: int = 1) -> str:
    """The question after or before the pictures, with or without a newline between."""
    marks = rng.choice(("", "\n")).join([PICTURE] * pictures)
    parts = [marks, question] if rng.random() < 0.7 else [question, marks]
    return rng.choice(("", "", "\n", " ")).join(parts)


def about_unnamed(rng: random.Random, figure: Figure) -> list[Message]:
    """About a figure whose colour has no name: the shape, also after any colour, so that no colour excludes a shape."""
    if rng.random() < 0.3:
        return [Message("user", with_picture(rng, rng.choice(SHAPE))), Message("assistant", ANSWERS[2][1](figure))]
    given = sentence(article(rng.choice(tuple(COLOURS)))).removesuffix(".")
    answer = Message("assistant", f"{given} {figure.shape}.", given)
    return [Message("user", with_picture(rng, rng.choice(BOTH))), answer]


def about_one(rng: random.Random, figure: Figure) -> list[Message]:
    if figure.colour == OTHER:
        return about_unnamed(rng, figure)
    messages: list[Message] = []
    for turn in range(1 + (rng.random() < 0.3)):
        questions, answer = ANSWERS[rng.choice(SORTS)]
        question = rng.choice(questions)
        content = with_picture(rng, question) if turn == 0 else question
        messages += [Message("user", content), Message("assistant", answer(figure))]
    return messages


def about_two(rng: random.Random, first: Figure, second: Figure) -> list[Message]:
    sort = rng.random()
    if sort < 0.4:
        content = with_picture(rng, rng.choice(TWO), 2)
        return [Message("user", content), Message("assistant", sentence(f"{named(first)} and {named(second)}"))]
    if sort < 0.8:
        number, figure = rng.choice((("first", first), ("second", second)))
        content = with_picture(rng, rng.choice(NTH).format(number), 2)
        return [Message("user", content), Message("assistant", sentence(named(figure)))]
    return about_one(rng, first)[:2] + about_one(rng, second)[:2]


def about_none(rng: random.Random) -> list[Message]:
    if rng.random() < 0.3:
        return [Message("user", rng.choice(HELLOS)), Message("assistant", HELLO)]
    question = rng.choice(rng.choice((BOTH, COLOUR, SHAPE, TWO)))
    return [Message("user", question), Message("assistant", NO_PICTURE)]


def converse(
    rng: random.Random, draw: Callable[[], Figure], draw_named: Callable[[], Figure]
) -> tuple[list[Message], list[Figure]]:
    """A conversation, and the figures of its pictures in their order."""
    sort = rng.random()
    if sort < 0.08:
        messages, figures = about_none(rng), []
    elif sort < 0.35:
        figures = [draw_named(), draw_named()]
        messages = about_two(rng, *figures)
    else:
        figures = [draw()]
        messages = about_one(rng, *figures)
        if rng.random() < 0.05:
            messages = about_none(rng) + messages
    if rng.random() < 0.1:
        messages = [Message("system", rng.choice(SYSTEMS)), *messages]
    return messages, figures
