"""The synthetic corpus: facts, and the many ways to say them and to ask about them.

`corpus/frames.txt` and `corpus/words.txt` describe the format. A tenth of all facts is held out, and so are the pairs
of statements 1 and 2, 3 and 4, 5 and 6 of a frame: training never sees such a fact or such a pair.
"""

import random
import re
import zlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).resolve().parent / "corpus"
PROPER = {"name", "city", "day", "month", "petname"}  # types whose words have a capital letter
QUERY_PROMPT, DOCUMENT_PROMPT = "search: ", "text: "
ASIDES = (
    "Thank you for reading.", "More about this later.", "This note was written in a hurry.",
    "Please keep this in mind.", "That is all for now.", "Here is some news.", "Somebody asked about this before.",
    "Nobody was surprised.", "It is worth knowing.", "We heard this from a friend.", "The details are below.",
    "So much for the plan.", "Everybody agreed in the end.", "As you may have heard already, there is something new.",
    "Let me tell you this.", "Nothing else has changed.", "Call us if you have questions.",
    "The list was updated today.",
)  # fmt: skip


@dataclass(frozen=True)
class Template:
    text: str

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(re.findall(r"\{(\w+)\}", self.text))


@dataclass(frozen=True)
class Frame:
    """A sort of fact. `slots` is a tuple of (name, type of its words)."""

    topic: str
    slots: tuple[tuple[str, str], ...]
    statements: tuple[Template, ...]
    questions: tuple[Template, ...]

    @property
    def has_roles(self) -> bool:
        """True if two slots have the same type, so that their words can be swapped: who lends whom?"""
        return len({kind for _, kind in self.slots}) < len(self.slots)


@dataclass(frozen=True)
class Fact:
    """`values[i]` is the index of the word in slot i."""

    frame: Frame
    values: tuple[int, ...]

    @property
    def is_held_out(self) -> bool:
        key = " ".join([self.frame.statements[0].text, *map(str, self.values)])
        return zlib.crc32(key.encode()) % 10 == 0

    def agrees(self, other: "Fact", slots: frozenset[str]) -> bool:
        """True if both facts have the same words in these slots. Then a text that mentions only these fits both."""
        if self.frame is not other.frame:
            return False
        values = zip(self.frame.slots, self.values, other.values, strict=True)
        return all(mine == theirs for (name, _), mine, theirs in values if name in slots)


def lines(name: str) -> list[str]:
    text = (CORPUS / name).read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def words() -> dict[str, list[list[str]]]:
    """For each type its words, each of them as a list of synonyms."""
    found = {}
    for line in lines("words.txt"):
        kind, rest = line.split(": ")
        found[kind] = [[spelt(kind, word) for word in entry.split("|")] for entry in rest.split(", ")]
    return found


def spelt(kind: str, word: str) -> str:
    return word.capitalize() if kind in PROPER else word


@cache
def frames() -> tuple[Frame, ...]:
    found: list[Frame] = []
    for line in lines("frames.txt"):
        if line.startswith("= "):
            topic, rest = line[2:].split(": ", 1)
            pairs = [slot.split(":") for slot in rest.split()]
            found.append(Frame(topic, tuple((pair[0], pair[-1]) for pair in pairs), (), ()))
        elif line.startswith("? "):
            found[-1] = replace(found[-1], questions=(*found[-1].questions, Template(line[2:])))
        else:
            found[-1] = replace(found[-1], statements=(*found[-1].statements, Template(line)))
    return tuple(found)


def draw_value(rng: random.Random, kind: str) -> int:
    return rng.randrange(len(words()[kind]))


def is_allowed(frame: Frame, values: tuple[int, ...], held: bool | None) -> bool:
    """Two slots of the same type must differ, and the fact must be on the given side of the split (None: either)."""
    filled = {(kind, value) for (_, kind), value in zip(frame.slots, values, strict=True)}
    return len(filled) == len(values) and held in (None, Fact(frame, values).is_held_out)


def draw_fact(rng: random.Random, held: bool, frame: Frame | None = None) -> Fact:
    frame = frame or rng.choice(frames())
    while True:
        values = tuple(draw_value(rng, kind) for _, kind in frame.slots)
        if is_allowed(frame, values, held):
            return Fact(frame, values)


def neighbour(rng: random.Random, fact: Fact, slots: frozenset[str], held: bool | None, swaps: float = 0.5) -> Fact:
    """A fact that differs in one of the slots. If that has a twin of the same type, a share of them swaps the two."""
    while True:
        at = rng.choice([i for i, (name, _) in enumerate(fact.frame.slots) if name in slots])
        kind = fact.frame.slots[at][1]
        twins = [i for i, slot in enumerate(fact.frame.slots) if slot[1] == kind and i != at]
        values = list(fact.values)
        if twins and rng.random() < swaps:
            values[at], values[twins[0]] = values[twins[0]], values[at]
        else:
            values[at] = draw_value(rng, kind)
        if tuple(values) != fact.values and is_allowed(fact.frame, tuple(values), held):
            return Fact(fact.frame, tuple(values))


def say(rng: random.Random, template: Template, fact: Fact) -> str:
    """The template with a random choice of its alternatives and of the synonyms of its words."""
    text = re.sub(r"\(([^()]*)\)", lambda match: rng.choice(match[1].split("|")), template.text)
    for (name, kind), value in zip(fact.frame.slots, fact.values, strict=True):
        text = text.replace(f"{{{name}}}", rng.choice(words()[kind][value]))
    text = re.sub(r"\s+(?=[ .?])", "", text)
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
    return text[0].upper() + text[1:]


def draw_paraphrase(rng: random.Random, fact: Fact, held: bool) -> tuple[str, str]:
    """Two statements of the fact, whose pair is held out or not."""
    statements = fact.frame.statements
    first = rng.randrange(len(statements))
    partner = first ^ 1
    second = partner if held else rng.choice([i for i in range(len(statements)) if i not in (first, partner)])
    return say(rng, statements[first], fact), say(rng, statements[second], fact)


def draw_passage(rng: random.Random, fact: Fact) -> str:
    """A statement of the fact, half of the time with sentences around it that say nothing."""
    sentences = [say(rng, rng.choice(fact.frame.statements), fact)]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        sentences.insert(rng.randint(0, len(sentences)), rng.choice(ASIDES))
    return " ".join(sentences)
