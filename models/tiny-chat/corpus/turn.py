"""The pieces that behaviours make and conversations are made of."""

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Facts:
    """What is known at a point of a conversation."""

    system: str = ""
    persona: str = "Pip"  # who the model says it is
    name: str | None = None  # of the user
    colour: str | None = None  # that the user likes
    last_kind: str | None = None  # behaviour of the turn before
    tools: dict[str, "Tool"] = field(default_factory=dict)  # offered tools, by what they do


@dataclass(frozen=True)
class Tool:
    """A tool on offer: how it is called, and its definition in the shape of the OpenAI API."""

    name: str
    parameters: tuple[str, ...]
    definition: dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One call of a tool and what the tool said."""

    name: str
    arguments: dict[str, Any]
    result: str


@dataclass(frozen=True)
class Turn:
    """A question and its only right answer. `key` decides on which side of the hold-out split the turn falls
    (None: on both). With `calls` the model calls these tools first and answers when it has seen their results."""

    user: str
    thought: str
    answer: str
    key: str | None
    learned: dict[str, str] = field(default_factory=dict)  # facts of later turns
    calls: tuple[Call, ...] = ()
    thought_after: str = ""  # the thought between the results and the answer
