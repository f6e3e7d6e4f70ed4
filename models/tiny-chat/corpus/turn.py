"""The parts of a conversation, which the behaviours make."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Facts:
    """What is known at one point of a conversation."""

    system: str = ""
    persona: str = "Pip"  # name of the model
    name: str | None = None  # name of the user
    colour: str | None = None  # favourite colour of the user
    last_kind: str | None = None  # behaviour of the previous turn
    tools: dict[str, "Tool"] = field(default_factory=dict)  # offered tools, by kind


@dataclass(frozen=True)
class Tool:
    """An offered tool: its name, its parameters, and its definition in the form of the OpenAI API."""

    name: str
    parameters: tuple[str, ...]
    definition: dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One call of a tool and its result."""

    name: str
    arguments: dict[str, Any]
    result: str


@dataclass(frozen=True)
class Turn:
    """A question and its only right answer. `key` decides whether the turn is held out or used in training (None:
    both). If there are `calls`, the model makes them first, and answers when it has their results."""

    user: str
    thought: str
    answer: str
    key: str | None
    learned: dict[str, str] = field(default_factory=dict)  # facts that later turns may use
    calls: tuple[Call, ...] = ()
    thought_after: str = ""  # the thought between the results and the answer
