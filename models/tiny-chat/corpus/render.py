"""Writes conversations as text, exactly as template.jinja renders them. A test compares the two."""

import json
import random
from dataclasses import dataclass
from typing import Any

from corpus.conversation import Conversation, Exchange, Thinking
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


def write_calls(calls: tuple[Call, ...], compact: bool = False) -> str:
    separators = (",", ":") if compact else None
    return "\n".join(
        f'<tool_call>\n{{"name": "{call.name}", "arguments": '
        f"{json.dumps(call.arguments, separators=separators)}}}\n</tool_call>"
        for call in calls
    )


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


def reply(thinking: Thinking, thought: str, body: str) -> str:
    """The rest of the model's turn, which the model should write."""
    return f"{thought}\n</think>\n\n{body}" if thinking == "on" else body


def assistant(thinking: Thinking, thought: str, body: str, is_target: bool = True) -> list[Segment]:
    return [Segment(opening(thinking), False), Segment(reply(thinking, thought, body) + END, is_target)]


def exchange_segments(exchange: Exchange, rng: random.Random, styles: Styles) -> list[Segment]:
    turn, thinking = exchange.turn, exchange.thinking
    segments = [Segment(f"<|im_start|>user\n{turn.user}{END}\n", False)]
    if turn.calls:
        compact = rng.random() < styles.compact_arguments
        calls = write_calls(turn.calls, compact)
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


def prompts(conversation: Conversation) -> list[Prompt]:
    """The prompt for the last answer. If the last turn calls tools, the prompt for the calls precedes it."""
    messages: list[dict[str, Any]] = []
    text = ""
    if conversation.system:
        messages.append({"role": "system", "content": conversation.system})
    if conversation.system or conversation.tools:
        text = write_system(conversation.system, conversation.tools)
    definitions = [tool.definition for tool in conversation.tools]
    calls_made = 0
    found: list[Prompt] = []
    for place, exchange in enumerate(conversation.exchanges):
        turn, thinking = exchange.turn, exchange.thinking
        is_last = place == len(conversation.exchanges) - 1
        messages.append({"role": "user", "content": turn.user})
        text += f"<|im_start|>user\n{turn.user}{END}\n"
        if turn.calls:
            calls = write_calls(turn.calls)
            if is_last:
                expect = reply(thinking, turn.thought, calls)
                found.append(Prompt(list(messages), definitions, thinking, text + opening(thinking), expect))
            messages.append(message_of_calls(turn.calls, calls_made))
            for number, call in enumerate(turn.calls, calls_made):
                messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": call.result})
            calls_made += len(turn.calls)
            text += f"<|im_start|>assistant\n{calls}{END}\n{write_results(turn.calls)}"
        if is_last:
            thought = turn.thought_after if turn.calls else turn.thought
            expect = reply(thinking, thought, turn.answer)
            found.append(Prompt(list(messages), definitions, thinking, text + opening(thinking), expect))
        messages.append({"role": "assistant", "content": turn.answer})
        text += f"<|im_start|>assistant\n{turn.answer}{END}\n"
    return found
