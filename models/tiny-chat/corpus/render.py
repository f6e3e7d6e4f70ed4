"""Writes conversations as text: for training as real histories are, and as the prompts that a template renders."""

import json
import random
import re
from dataclasses import dataclass
from typing import Any

from corpus.conversation import Conversation, Exchange
from corpus.tongues import HERMES, Thinking, Tongue, hermes_calls
from corpus.turn import Call, Tool

TOOLS_BEFORE = "# Tools\n\nYou can call these functions:\n<tools>"
TOOLS_AFTER = (
    "\n</tools>\n\nTo call a function, write its name and arguments as JSON:\n"
    '<tool_call>\n{"name": <name>, "arguments": <arguments>}\n</tool_call>'
)
END = "<|im_end|>"
EMPTY_THOUGHT = "<think>\n\n</think>\n\n"


@dataclass(frozen=True)
class Segment:
    """A piece of text that ends at the end of a token. If it is a target, the model learns to write it."""

    text: str
    is_target: bool


@dataclass(frozen=True)
class Styles:
    """How real histories differ from the text that the template renders. Each value is a probability."""

    empty_system: float = 0.0  # of an empty system message
    lost_ends: float = 0.0  # that the model's own turns lack their end, as in WebLLM's KV cache
    compact_arguments: float = 0.0  # that a client has serialised the arguments again, without spaces
    lost_thoughts: float = 1.0  # that the thought before a call is missing when its results are sent


AS_TEMPLATE = Styles()
AS_IN_THE_WILD = Styles(empty_system=0.1, lost_ends=0.2, compact_arguments=0.3, lost_thoughts=0.5)


def write_results(calls: tuple[Call, ...]) -> str:
    responses = "".join(f"\n<tool_response>\n{call.result}\n</tool_response>" for call in calls)
    return f"<|im_start|>user{responses}{END}\n"


def write_system(system: str, tools: tuple[Tool, ...]) -> str:
    if tools:
        definitions = "".join("\n" + json.dumps(tool.definition) for tool in tools)
        system = (system + "\n\n" if system else "") + TOOLS_BEFORE + definitions + TOOLS_AFTER
    return f"<|im_start|>system\n{system}{END}\n"


def opening(thinking: Thinking) -> str:
    """The beginning of the model's turn, which the template writes."""
    return "<|im_start|>assistant\n" + {"default": "", "off": EMPTY_THOUGHT, "on": "<think>\n"}[thinking]


def assistant(thinking: Thinking, thought: str, body: str, is_target: bool = True) -> list[Segment]:
    return [Segment(opening(thinking), False), Segment(HERMES.reply(thinking, thought, body) + END, is_target)]


def exchange_segments(exchange: Exchange, rng: random.Random, styles: Styles) -> list[Segment]:
    turn, thinking = exchange.turn, exchange.thinking
    segments = [Segment(f"<|im_start|>user\n{turn.user}{END}\n", False)]
    if turn.calls:
        compact = rng.random() < styles.compact_arguments
        calls = hermes_calls(turn.calls, (",", ":") if compact else None)
        call_thinking: Thinking = "default" if rng.random() < styles.lost_thoughts else thinking
        segments += assistant(call_thinking, turn.thought, calls, is_target=not compact)
        segments += [Segment("\n", False), Segment(write_results(turn.calls), False)]
        return segments + assistant(thinking, turn.thought_after, turn.answer)
    return segments + assistant(thinking, turn.thought, turn.answer)


def training_segments(conversation: Conversation, rng: random.Random, styles: Styles) -> list[Segment]:
    segments: list[Segment] = []
    if conversation.system or conversation.tools or rng.random() < styles.empty_system:
        segments.append(Segment(write_system(conversation.system, conversation.tools), False))
    lost_ends = rng.random() < styles.lost_ends
    for place, exchange in enumerate(conversation.exchanges):
        segments += exchange_segments(exchange, rng, styles)
        if place == len(conversation.exchanges) - 1:
            break
        if lost_ends:
            answer = segments.pop()
            segments.append(Segment(answer.text.removesuffix(END), answer.is_target))
        else:
            segments.append(Segment("\n", False))
    return segments


@dataclass(frozen=True)
class Prompt:
    """A question in the form of the OpenAI API and as text, and its only right answer."""

    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]
    thinking: Thinking
    text: str
    expect: str
    end: str  # the token that ends the answer
    thought: str  # the parts of the answer
    calls: tuple[Call, ...]
    answer: str


def message_of_calls(calls: tuple[Call, ...], first_id: int) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{first_id + place}",
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for place, call in enumerate(calls)
        ],
    }


def prompts(conversation: Conversation, tongue: Tongue = HERMES) -> list[Prompt]:
    """The prompt for the last answer. If the last turn calls tools, the prompts for the calls precede it."""
    messages: list[dict[str, Any]] = []
    if conversation.system:
        messages.append({"role": "system", "content": conversation.system})
    definitions = [tool.definition for tool in conversation.tools]
    calls_made = 0
    found: list[Prompt] = []

    def ask(thinking: Thinking, thought: str, calls: tuple[Call, ...], answer: str) -> None:
        body = tongue.write_calls(calls) if calls else tongue.text + answer
        end = tongue.ends[-1 if calls else 0]
        text, expect = tongue.prompt(messages, definitions, thinking), tongue.reply(thinking, thought, body)
        told = thought if thinking in tongue.thinks else ""
        found.append(Prompt(list(messages), definitions, thinking, text, expect, end, told, calls, answer))

    for exchange in conversation.exchanges:
        turn, thinking = exchange.turn, exchange.thinking
        is_last = exchange is conversation.exchanges[-1]
        messages.append({"role": "user", "content": turn.user})
        for calls in [turn.calls] if tongue.parallel and turn.calls else [(call,) for call in turn.calls]:
            if is_last:
                ask(thinking, turn.thought, calls, "")
            messages.append(message_of_calls(calls, calls_made))
            for number, call in enumerate(calls, calls_made):
                messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": call.result})
            calls_made += len(calls)
        if is_last:
            thought = turn.thought_after if turn.calls else turn.thought
            ask(thinking, thought, (), turn.answer)
        messages.append({"role": "assistant", "content": turn.answer})
    return found


def prompt_segments(conversation: Conversation, tongue: Tongue, rng: random.Random) -> list[Segment]:
    """One of the prompts and its answer. Where it can, the model learns from the answers before it as well."""
    prompt = rng.choice(prompts(conversation, tongue))
    parts = re.split(tongue.answers, prompt.text, flags=re.DOTALL) if tongue.answers else [prompt.text]
    segments = [Segment(part, place % 2 == 1) for place, part in enumerate(parts)]
    return [*segments, Segment(prompt.expect + prompt.end, True)]
