"""Prompts for each behaviour that training never saw."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from corpus.conversation import BEHAVIOURS, TOOL_KINDS, Conversation, converse
from corpus.render import Prompt, prompts
from corpus.tongues import HERMES, Thinking, Tongue
from corpus.words import Draw

SEED = 99
THINKING: tuple[Thinking, ...] = ("default", "on", "default", "off")  # used in rotation
HISTORY = (0, 0, 1, 2, 0, 1)  # number of earlier turns, used in rotation
TEXT_BESIDE_TOOLS = ("greet", "who", "capital", "tell", "recall", "say", "count", "person", "unknown")


@dataclass(frozen=True)
class Case:
    kind: str
    prompt: Prompt


def _draw(
    draw: Draw, accept: Callable[[Conversation], bool], number: int, kind: str, tools: bool | None, persona: bool
) -> Conversation:
    history = HISTORY[number % len(HISTORY)]
    if kind == "recall":
        history = max(history, 1)
    while True:
        found = converse(draw, kind, THINKING[number % len(THINKING)], history, tools, persona)
        if found.exchanges[-1].kind == kind and accept(found):
            return found


def held_out_cases(count: int, seed: int = SEED, tongue: Tongue = HERMES) -> list[Case]:
    """`count` different cases of each kind. A kind that calls tools has at least `count` calls
    and `count` answers."""
    draw = Draw(random.Random(seed), held=True)
    cases: list[Case] = []
    seen: set[str] = set()

    def anything(_: Conversation) -> bool:
        return True

    def calls_twice(conversation: Conversation) -> bool:
        return len(conversation.exchanges[-1].turn.calls) == 2

    def add(
        label: str,
        kind_of: Callable[[int], str],
        tools: bool | None = False,
        persona: bool = False,
        accept: Callable[[Conversation], bool] = anything,
    ) -> None:
        for number in range(count):
            kind = kind_of(number)
            while True:
                made = prompts(_draw(draw, accept, number, kind, tools, persona), tongue)
                if made[-1].text not in seen:
                    break
            seen.update(prompt.text for prompt in made)
            labels = [*[f"{label}: call"] * (len(made) - 1), f"{label}: answer"] if len(made) > 1 else [label]
            cases.extend(Case(name, prompt) for name, prompt in zip(labels, made))

    for kind in BEHAVIOURS:
        if kind != "no_tool":
            add(kind, lambda _, kind=kind: kind)
    add("persona", lambda _: "who", persona=True)
    add("no_tool", lambda _: "no_tool", tools=None)
    add("text beside tools", lambda number: TEXT_BESIDE_TOOLS[number % len(TEXT_BESIDE_TOOLS)], tools=True)
    for kind in TOOL_KINDS:
        add(kind, lambda _, kind=kind: kind, tools=True)
    add("two calls", lambda number: ("weather", "time")[number % 2], tools=True, accept=calls_twice)
    return cases
