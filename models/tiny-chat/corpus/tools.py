"""Calling a tool that fits, answering from its result, and answering in text if no tool fits."""

import json
from collections.abc import Callable
from typing import Any

from corpus.turn import Call, Facts, Tool, Turn
from corpus.words import SKIES, Draw

WEATHER_QUESTIONS = [
    "What is the weather in {}?",
    "What's the weather in {}?",
    "What is the weather like in {}?",
    "How is the weather in {}?",
    "Tell me the weather in {}.",
    "Weather in {}?",
    "What is the weather in {} today?",
]
TIME_QUESTIONS = ["What time is it in {}?", "What is the time in {}?"]
ADD_QUESTIONS = ["What is {} + {}?", "Add {} and {}.", "What is {} plus {}?"]
SEARCH_REQUESTS = ["Search for {}.", "Search the web for {}."]


def define(draw: Draw, name: str, description: str, types: dict[str, str]) -> Tool:
    """A definition in the ways that clients write them: with or without descriptions and `required`."""
    properties: dict[str, dict[str, str]] = {key: {"type": kind} for key, kind in types.items()}
    if draw.chance(0.3):
        for key, schema in properties.items():
            schema["description"] = draw.choice(["The value", "The input", f"The {key}", f"The {key} to use"])
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if draw.chance(0.7):
        parameters["required"] = list(types)
    function = {"name": name, "description": description, "parameters": parameters}
    return Tool(name, tuple(types), {"type": "function", "function": function})


def define_weather(draw: Draw, place: str) -> Tool:
    name = draw.weighted({"get_weather": 3, "get_current_weather": 1, "weather": 1, "fetch_weather": 1})
    description = draw.choice(
        ["Get the weather", "Get the weather of a city", "Get the current weather", "The weather in a city"]
    )
    return define(draw, name, description, {place: "string"})


def define_add(draw: Draw, place: str) -> Tool:
    name = draw.weighted({"add": 2, "sum": 1, "add_numbers": 1})
    description = draw.choice(["Add two numbers", "Adds two numbers", "The sum of two numbers"])
    first, second = draw.weighted({("a", "b"): 2, ("x", "y"): 1})
    kind = draw.choice(["number", "integer"])
    return define(draw, name, description, {first: kind, second: kind})


def define_time(draw: Draw, place: str) -> Tool:
    description = draw.choice(["Get the time", "Get the time in a city", "The current time"])
    return define(draw, draw.choice(["get_time", "current_time"]), description, {place: "string"})


def define_search(draw: Draw, place: str) -> Tool:
    description = draw.choice(["Search the web", "Search for a text"])
    return define(draw, draw.choice(["search", "web_search"]), description, {draw.choice(["query", "text"]): "string"})


DEFINITIONS: dict[str, Callable[[Draw, str], Tool]] = {
    "weather": define_weather,
    "add": define_add,
    "time": define_time,
    "search": define_search,
}


def offer(draw: Draw, needed: str | None = None) -> dict[str, Tool]:
    """One to four tools in any order, including `needed`. All of them use the same name for a place (`city` or
    `location`), because a model this small would mix up different names."""
    place = draw.weighted({"city": 3, "location": 1})
    wanted = set(draw.rng.sample(list(DEFINITIONS), draw.choice([1, 1, 2, 3, 4]))) | ({needed} - {None})
    order = draw.rng.sample(list(DEFINITIONS), len(DEFINITIONS))
    return {kind: DEFINITIONS[kind](draw, place) for kind in order if kind in wanted}


def cities_asked(draw: Draw, questions: list[str]) -> tuple[str, list[str]]:
    """A question about one city or two, and the cities."""
    cities = list(dict.fromkeys(draw.city() for _ in range(2 if draw.chance(0.45) else 1)))
    if len(cities) == 1:
        return draw.choice(questions).format(cities[0]), cities
    joined = draw.choice([" and ", " and in "]).join(cities)
    return questions[0].format(joined), cities


def failed(draw: Draw, user: str, thought: str, tool: Tool, cities: list[str]) -> Turn:
    error = draw.choice(["not found", "no data", "timeout"])
    calls = [Call(tool.name, {tool.parameters[0]: city}, json.dumps({"error": error})) for city in cities]
    return Turn(user, thought, f"The tool failed: {error}.", user, {}, tuple(calls), "The tool failed.")


def sky_report(draw: Draw) -> tuple[str, str]:
    """The result of a weather tool, and its wording in an answer."""
    degrees, sky = draw.rng.randint(-9, 45), draw.choice(SKIES)
    form = draw.weighted({"both": 45, "temperature": 15, "condition": 10, "text": 30})
    if form == "both":
        fields: list[tuple[str, Any]] = [("temperature", degrees), ("condition", sky)]
        draw.rng.shuffle(fields)
        return json.dumps(dict(fields)), f"{sky}, {degrees} degrees"
    if form == "temperature":
        return json.dumps({"temperature": degrees}), f"{degrees} degrees"
    if form == "condition":
        return json.dumps({"condition": sky}), sky
    text = draw.choice([f"{sky}, {degrees} degrees", f"{degrees} degrees and {sky}", sky, f"{degrees} C"])
    return text, text


def weather(draw: Draw, facts: Facts) -> Turn:
    tool = facts.tools["weather"]
    user, cities = cities_asked(draw, WEATHER_QUESTIONS)
    thought = f"I need the weather in {' and '.join(cities)}."
    if draw.chance(0.08):
        return failed(draw, user, thought, tool, cities)
    reports = [sky_report(draw) for _ in cities]
    calls = [Call(tool.name, {tool.parameters[0]: city}, said) for city, (said, _) in zip(cities, reports)]
    answer = " ".join(f"The weather in {city} is {worded}." for city, (_, worded) in zip(cities, reports))
    return Turn(user, thought, answer, user, {}, tuple(calls), "I know the weather now.")


def time(draw: Draw, facts: Facts) -> Turn:
    tool = facts.tools["time"]
    user, cities = cities_asked(draw, TIME_QUESTIONS)
    clocks = [f"{draw.rng.randint(0, 23):02d}:{draw.rng.randint(0, 59):02d}" for _ in cities]
    as_json = draw.chance(0.5)
    calls = [
        Call(tool.name, {tool.parameters[0]: city}, json.dumps({"time": clock}) if as_json else clock)
        for city, clock in zip(cities, clocks)
    ]
    answer = " ".join(f"It is {clock} in {city}." for city, clock in zip(cities, clocks))
    thought = f"I need the time in {' and '.join(cities)}."
    return Turn(user, thought, answer, user, {}, tuple(calls), "I know the time now.")


def add(draw: Draw, facts: Facts) -> Turn:
    """The tool's result may be wrong, because the answer should repeat the tool and not do arithmetic."""
    tool = facts.tools["add"]
    a, b = (draw.rng.randint(0, 20 if draw.chance(0.4) else 999) for _ in range(2))
    result = a + b if draw.chance(0.5) else draw.rng.randint(0, 2000)
    said = draw.choice([str(result), json.dumps({"result": result})])
    calls = (Call(tool.name, dict(zip(tool.parameters, (a, b))), said),)
    user = draw.choice(ADD_QUESTIONS).format(a, b)
    thought = f"I need to add {a} and {b}."
    return Turn(user, thought, f"The result is {result}.", user, {}, calls, "I know the sum now.")


def search(draw: Draw, facts: Facts) -> Turn:
    tool = facts.tools["search"]
    word, found = draw.word(), draw.words({1: 4, 2: 3, 3: 2, 4: 1})
    user = draw.choice(SEARCH_REQUESTS).format(word)
    calls = (Call(tool.name, {tool.parameters[0]: word}, found),)
    thought = f"I need to search for {word}."
    return Turn(user, thought, f"I found: {found}.", user, {}, calls, "I have the result now.")


TOOL_TURNS: dict[str, Callable[[Draw, Facts], Turn]] = {"weather": weather, "add": add, "time": time, "search": search}


def no_tool(draw: Draw, facts: Facts) -> Turn | None:
    """A question that needs a tool which is not offered; None if all tools are offered."""
    missing = [kind for kind in DEFINITIONS if kind not in facts.tools]
    if not missing:
        return None
    kind = draw.choice(missing)
    if kind == "add":
        a, b = draw.rng.randint(0, 99), draw.rng.randint(0, 99)
        text, need, answer = (draw.choice(ADD_QUESTIONS).format(a, b), "adding numbers", "I cannot add numbers.")
    elif kind == "search":
        text, need, answer = (draw.choice(SEARCH_REQUESTS).format(draw.word()), "searching", "I cannot search.")
    elif kind == "time":
        text, need, answer = (cities_asked(draw, TIME_QUESTIONS)[0], "the time", "I cannot look up the time.")
    else:
        text, need, answer = (cities_asked(draw, WEATHER_QUESTIONS)[0], "the weather", "I cannot look up the weather.")
    return Turn(text, f"I have no tool for {need}.", answer, text)
