"""Questions with documents, of which one answers the question."""

import random
from dataclasses import dataclass

from facts import Fact, Template, draw_fact, draw_passage, frames, neighbour, say

HARD = 0.75  # share of the wrong documents that differ from the right fact in one word of the question


@dataclass(frozen=True)
class Group:
    question: str
    documents: tuple[str, ...]
    right: int

    @property
    def pairs(self) -> list[tuple[str, str]]:
        return [(self.question, document) for document in self.documents]


def draw_wrong(rng: random.Random, fact: Fact, question: Template, held: bool | None, swaps: float) -> Fact:
    if rng.random() < HARD:
        return neighbour(rng, fact, question.slots, held, swaps)
    while True:
        other = draw_fact(rng, held=bool(held), frame=rng.choice((fact.frame, None)))
        if not other.agrees(fact, question.slots):
            return other


def draw_group(rng: random.Random, documents: int, held: bool, roles: bool = False, swaps: float = 0.5) -> Group:
    """With `roles`, the question is about who does what to whom. `swaps` is how often a wrong document swaps the two.

    The wrong documents of a held-out group are from both sides of the split, because a fact may have no neighbour that
    is held out.
    """
    frame = rng.choice([frame for frame in frames() if frame.has_roles]) if roles else None
    fact = draw_fact(rng, held, frame)
    question = rng.choice(fact.frame.questions)
    side = None if held else False
    facts = [fact, *(draw_wrong(rng, fact, question, side, swaps) for _ in range(documents - 1))]
    rng.shuffle(facts)
    texts = tuple(draw_passage(rng, other) for other in facts)
    return Group(say(rng, question, fact), texts, facts.index(fact))
