"""The forms in which models write thoughts and calls: how each writes them, and how its template reads them.

`hermes` is how tiny-chat was trained. The others are its children, which are trained further on the same chats in
another form. They keep its vocabulary; only added tokens get other names.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corpus.turn import Call

if TYPE_CHECKING:
    import jinja2

HERE = Path(__file__).resolve().parents[1]

# How the template begins the model's turn: with nothing, with an empty thought (off), or with `<think>` (on).
Thinking = Literal["default", "off", "on"]
Variables = dict[Thinking, dict[str, Any]]
ENABLE_THINKING: Variables = {"default": {}, "off": {"enable_thinking": False}, "on": {"enable_thinking": True}}


@dataclass(frozen=True)
class Tongue:
    name: str
    write_calls: Callable[[tuple[Call, ...]], str]
    variables: Variables = field(default_factory=lambda: ENABLE_THINKING)  # of the template
    thinks: tuple[Thinking, ...] = ("on",)  # in which modes the model writes a thought
    thought: tuple[str, str] = ("", "\n</think>\n\n")  # what the model writes around it
    text: str = ""  # what the model writes before the text of an answer
    parallel: bool = True  # whether it makes all calls in one turn
    # The answers in a prompt, if the template writes them as the model does where it does not think.
    answers: str | None = r"(?<=<\|im_start\|>assistant\n)(.*?<\|im_end\|>)"
    steps: int = 400  # of the training in this tongue
    ends: tuple[str, ...] = ("<|im_end|>",)  # tokens that end a turn: of an answer (first), of calls (last)
    renamed: dict[str, str] = field(default_factory=dict)  # tiny-chat's token -> this model's, which is a control token
    decides: bool = False  # whether it learns to answer questions about a text (corpus/decisions.py), in tiny-chat's form

    @property
    def folder(self) -> Path:
        return HERE if self.name == "hermes" else HERE / "tongues" / self.name

    @property
    def template(self) -> Path:
        return (HERE if self.decides else self.folder) / "template.jinja"

    @cached_property
    def _template(self) -> "jinja2.Template":
        import jinja2  # here, because export.py renders nothing and needs the standard library only

        environment = jinja2.Environment()
        environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
        return environment.from_string(self.template.read_text().rstrip("\n"))

    def prompt(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]], thinking: Thinking) -> str:
        """Messages of the OpenAI API, as the template renders them. Arguments are objects for it."""
        parsed = [_with_objects(message) for message in messages]
        return self._template.render(
            messages=parsed, tools=tools, add_generation_prompt=True, **self.variables[thinking]
        )

    def reply(self, thinking: Thinking, thought: str, body: str) -> str:
        """What the model should write after the prompt."""
        before, after = self.thought
        return f"{before}{thought}{after}{body}" if thinking in self.thinks else body


def _with_objects(message: dict[str, Any]) -> dict[str, Any]:
    if "tool_calls" not in message:
        return message
    functions = [call["function"] for call in message["tool_calls"]]
    calls = [{"function": {**each, "arguments": json.loads(each["arguments"])}} for each in functions]
    return {**message, "tool_calls": calls}


def hermes_calls(calls: tuple[Call, ...], separators: tuple[str, str] | None = None) -> str:
    return "\n".join(
        f'<tool_call>\n{{"name": "{call.name}", "arguments": '
        f"{json.dumps(call.arguments, separators=separators)}}}\n</tool_call>"
        for call in calls
    )


def tagged_calls(calls: tuple[Call, ...]) -> str:
    def parameters(call: Call) -> str:
        return "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in call.arguments.items())

    return "\n".join(
        f"<tool_call>\n<function={call.name}>\n{parameters(call)}</function>\n</tool_call>" for call in calls
    )


def framed_calls(calls: tuple[Call, ...]) -> str:
    def keywords(call: Call) -> str:
        return ", ".join(f"{key}={json.dumps(value)}" for key, value in call.arguments.items())

    written = ", ".join(f"{call.name}({keywords(call)})" for call in calls)
    return f"<|tool_call_start|>[{written}]<|tool_call_end|>"


def channel_calls(calls: tuple[Call, ...]) -> str:
    (call,) = calls
    arguments = json.dumps(call.arguments)
    return f"<|channel|>commentary to=functions.{call.name} <|constrain|>json<|message|>{arguments}"


HERMES = Tongue("hermes", hermes_calls)
TONGUES = {
    tongue.name: tongue
    for tongue in (
        HERMES,
        # As Qwen3-Coder and Qwen3.5: each argument between tags, strings as they are.
        Tongue("tagged", tagged_calls),
        # As LFM2: Python calls between control tokens.
        Tongue(
            "frames",
            framed_calls,
            renamed={
                "<tool_call>": "<|tool_call_start|>",
                "</tool_call>": "<|tool_call_end|>",
                "<tool_response>": "<|tool_response_start|>",
                "</tool_response>": "<|tool_response_end|>",
            },
        ),
        # As gpt-oss: thoughts, calls and answers are messages in channels, made of control tokens. It always thinks.
        Tongue(
            "channels",
            channel_calls,
            variables={
                "default": {},
                "off": {"reasoning_effort": "low"},
                "on": {"reasoning_effort": "high"},
            },
            thinks=("default", "off", "on"),
            thought=("<|channel|>analysis<|message|>", "<|end|><|start|>assistant"),
            text="<|channel|>final<|message|>",
            parallel=False,
            answers=None,
            steps=800,
            ends=("<|return|>", "<|call|>"),
            renamed={
                "<|im_start|>": "<|start|>",
                "<|im_end|>": "<|return|>",
                "<think>": "<|channel|>",
                "</think>": "<|message|>",
                "<tool_call>": "<|constrain|>",
                "</tool_call>": "<|call|>",
                "<tool_response>": "<|end|>",
                "</tool_response>": "<|reserved|>",
            },
        ),
        Tongue("decide", hermes_calls, steps=920, decides=True),
    )
}
