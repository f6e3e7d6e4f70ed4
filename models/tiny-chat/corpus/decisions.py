"""Questions about a text, as `POST /v1/decisions` asks them, and their right answers.

Questions for the measurement have words that training never sees. It has seen the sentences around them, but none together
with the question.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from corpus import judged_texts
from corpus.words import Draw

Type = Literal["predicate", "choice", "score"]
DEGREES = ("cold", "mild", "warm", "hot")


@dataclass(frozen=True)
class Item:
    type: Type
    family: str
    input: str
    instructions: str
    options: tuple[tuple[str, str], ...]  # name and description, in the order of the question; of a predicate: none
    right: int  # of a predicate, 0 is true and 1 is false


def padded(draw: Draw, sentence: str, others: tuple[str, ...] = ()) -> str:
    """The sentence, mostly with another one before or after it: one of `others`, which also have a meaning, or any."""
    if draw.chance(0.4):
        return sentence
    other = filled(draw, draw.choice(others)) if others and draw.chance(0.6) else draw.filler()
    return f"{other} {sentence}" if draw.chance(0.5) else f"{sentence} {other}"


def different(draw: Callable[[], str], count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[draw()] = None
    return list(found)


def mention(draw: Draw) -> Item:
    words = different(draw.word, draw.weighted({2: 3, 3: 4, 4: 3}))
    right = draw.rng.randrange(len(words))
    text = draw.choice(["We talked about the {}.", "Here is the {}.", "I have seen the {}."]).format(words[right])
    question = draw.choice(["Which of these is in the text?", "What does the text mention?"])
    return Item("choice", "mention", padded(draw, text), question, tuple((word, "") for word in words), right)


def filled(draw: Draw, text: str) -> str:
    return text.format(draw.word(), n=draw.rng.randint(2, 99))


def labelled(draw: Draw, questions: tuple[str, ...], texts: tuple[str, ...]) -> tuple[str, str]:
    """A question, and a text with drawn words. Each text is held out with one of the questions."""
    place = draw.rng.randrange(len(texts))
    held = questions[place % len(questions)]
    question = held if draw.held else draw.choice([each for each in questions if each != held])
    return question, filled(draw, texts[place])


def team(draw: Draw) -> Item:
    names = draw.rng.sample(list(judged_texts.TEAMS), draw.weighted({2: 3, 3: 3, 4: 2, 5: 2}))
    right = draw.rng.randrange(len(names))
    question, text = labelled(draw, judged_texts.TEAM_QUESTIONS, judged_texts.TEAMS[names[right]][1])
    described = draw.choice([0.0, 0.5, 1.0])
    options = tuple(
        (name, draw.choice(judged_texts.TEAMS[name][0]) if draw.chance(described) else "") for name in names
    )
    return Item("choice", "team", padded(draw, text, judged_texts.FEELINGS), question, options, right)


def mood(draw: Draw) -> Item:
    names = draw.rng.sample(["positive", "negative"], 2)
    right = draw.rng.randrange(2)
    _, good, bad = judged_texts.CLAIMS["satisfied"]
    question, text = labelled(draw, judged_texts.MOOD_QUESTIONS, good if names[right] == "positive" else bad)
    return Item("choice", "mood", padded(draw, text), question, tuple((name, "") for name in names), right)


def money(draw: Draw) -> Item:
    is_true = draw.chance(0.5)
    name = "billing" if is_true else draw.choice([name for name in judged_texts.TEAMS if name != "billing"])
    claim, text = labelled(draw, judged_texts.MONEY_CLAIMS, judged_texts.TEAMS[name][1])
    return Item("predicate", "money", padded(draw, text, judged_texts.FEELINGS), claim, (), int(not is_true))


def claim(draw: Draw) -> Item:
    family = draw.choice(list(judged_texts.CLAIMS))
    claims, true, false = judged_texts.CLAIMS[family]
    is_true = draw.chance(0.5)
    said, text = labelled(draw, claims, true if is_true else false)
    return Item("predicate", family, padded(draw, text), said, (), int(not is_true))


def scale(draw: Draw) -> Item:
    family = draw.choice(list(judged_texts.SCALES))
    names, questions, texts = judged_texts.SCALES[family]
    right = draw.rng.randrange(len(texts))
    question, text = labelled(draw, questions, texts[right])
    levels = tuple((name, "") for name in draw.choice(names))
    others = judged_texts.MESSAGES if family == "anger" else ()
    return Item("score", family, padded(draw, text, others), question, levels, right)


def degrees(draw: Draw) -> Item:
    right = draw.rng.randrange(len(DEGREES))
    number = right * 10 + draw.rng.randint(1, 9)
    question = draw.choice(["How warm is it?", "What is the weather like?", "Rate how warm it is."])
    limits = ("below 10", "10 to 19", "20 to 29", "30 or more")
    levels = tuple(zip(DEGREES, limits if draw.chance(0.5) else ("",) * len(DEGREES)))
    text = draw.choice(["It is {n} degrees in {}.", "There are {n} degrees in {} today."])
    return Item("score", "degrees", padded(draw, text.format(draw.city(), n=number)), question, levels, right)


FAMILIES: dict[Type, dict[Callable[[Draw], Item], float]] = {
    "predicate": {money: 2, claim: 5},
    "choice": {mention: 3, team: 5, mood: 2},
    "score": {scale: 5, degrees: 2},
}
TYPES: dict[Type, float] = {"predicate": 4, "choice": 4, "score": 3}


def make(draw: Draw, kind: Type | None = None) -> Item:
    return draw.weighted(FAMILIES[kind or draw.weighted(TYPES)])(draw)
