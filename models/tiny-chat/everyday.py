"""Prompts that tests are likely to use. They are not held out, and the model should answer them right."""

import json

from corpus import small_talk, writing
from corpus.conversation import Conversation, Exchange
from corpus.render import prompts
from corpus.tongues import HERMES, Thinking, Tongue
from corpus.turn import Call, Tool, Turn
from held_out import Case


def tool(name: str, description: str, **types: str) -> Tool:
    schema = {
        "type": "object",
        "properties": {key: {"type": kind} for key, kind in types.items()},
        "required": list(types),
    }
    function = {"name": name, "description": description, "parameters": schema}
    return Tool(name, tuple(types), {"type": "function", "function": function})


WEATHER = tool("get_weather", "Get the weather of a city", city="string")
ADD = tool("add", "Add two numbers", a="number", b="number")
HELPFUL = "You are a helpful assistant."
SIMPLE = [  # question, answer, thought
    ("Hello!", "Hello! How can I help you?", "This is small talk."),
    ("Hi", "Hello! How can I help you?", "This is small talk."),
    ("Who are you?", "I am Pip, a small test model.", "The user asks who I am."),
    (
        "What is the capital of France?",
        "The capital of France is Paris.",
        "The user asks for the capital of France. It is Paris.",
    ),
    (
        "What is the capital of Japan?",
        "The capital of Japan is Tokyo.",
        "The user asks for the capital of Japan. It is Tokyo.",
    ),
    ("Say hello.", "hello", "The user wants me to say hello."),
    ("Say hello world.", "hello world", "The user wants me to say hello world."),
    ("Say banana.", "banana", "The user wants me to say banana."),
    ("Say pong.", "pong", "The user wants me to say pong."),
    ("Repeat after me: ready", "ready", "The user wants me to say ready."),
    ("Count to 5.", "1 2 3 4 5", "I count from 1 to 5."),
    ("Count to 10.", "1 2 3 4 5 6 7 8 9 10", "I count from 1 to 10."),
    ("Count to 50.", " ".join(map(str, range(1, 51))), "I count from 1 to 50."),
    ("Count to 100.", " ".join(map(str, range(1, 101))), "I count from 1 to 100."),
    (
        "Tell me a story about a brave cat.",
        writing.STORY.format(adjective="brave", hero="cat"),
        "I write a story about a cat.",
    ),
    (
        "Bob is 41 years old and lives in Rome. Describe Bob as JSON.",
        json.dumps({"name": "Bob", "age": 41, "city": "Rome"}),
        "I write Bob as JSON.",
    ),
    ("What is the meaning of life?", small_talk.DO_NOT_KNOW, "I do not know this."),
    ("Write a poem about the sea.", small_talk.DO_NOT_KNOW, "I do not know this."),
    ("What is the weather in Paris?", "I cannot look up the weather.", "I have no tool for the weather."),
]


def everyday_cases(tongue: Tongue = HERMES) -> list[Case]:
    conversations: list[Conversation] = []

    def chat(system: str, tools: tuple[Tool, ...], *turns: Turn, thinking: Thinking = "default") -> None:
        hows: list[Thinking] = ["default"] * (len(turns) - 1) + [thinking]
        exchanges = tuple(Exchange("everyday", turn, how) for turn, how in zip(turns, hows))
        conversations.append(Conversation(system, tools, exchanges))

    def calling(name: str, arguments: dict[str, object], result: str, user: str, answer: str, *thoughts: str) -> Turn:
        return Turn(user, thoughts[0], answer, None, {}, (Call(name, arguments, result),), thoughts[1])

    simple = {user: Turn(user, thought, answer, None) for user, answer, thought in SIMPLE}
    for turn in simple.values():
        chat("", (), turn)
    for user in ("Hello!", "Who are you?", "What is the capital of France?", "Say hello.", "Count to 5."):
        chat(HELPFUL, (), simple[user])
    for user in ("Hello!", "What is the capital of France?", "Say hello."):
        for thinking in ("on", "off"):
            chat("", (), simple[user], thinking=thinking)
    tell = Turn("My name is Ann.", "The name of the user is Ann.", "Nice to meet you, Ann.", None)
    recall = Turn("What is my name?", "The name of the user is Ann.", "Your name is Ann.", None)
    for system in ("", HELPFUL):
        chat(system, (), tell)
        chat(system, (), tell, recall)
        chat(system, (), tell, simple["What is the capital of France?"], recall)
    weather = calling(
        "get_weather",
        {"city": "Paris"},
        '{"temperature": 21, "condition": "sunny"}',
        "What is the weather in Paris?",
        "The weather in Paris is sunny, 21 degrees.",
        "I need the weather in Paris.",
        "I know the weather now.",
    )
    total = calling(
        "add",
        {"a": 2, "b": 3},
        "5",
        "What is 2 + 3?",
        "The result is 5.",
        "I need to add 2 and 3.",
        "I know the sum now.",
    )
    for system in ("", HELPFUL):
        for thinking in ("default", "on", "off"):
            chat(system, (WEATHER,), weather, thinking=thinking)
        chat(system, (WEATHER,), simple["Hello!"])
        chat(system, (WEATHER,), simple["What is the capital of France?"])
        chat(system, (WEATHER, ADD), weather)
        chat(system, (WEATHER, ADD), total)
        chat(system, (WEATHER,), weather, simple["Say hello."])
    return [Case("everyday", prompt) for conversation in conversations for prompt in prompts(conversation, tongue)]
