"""Has agents of pydantic-ai do a task over each of the APIs that they speak, and prints what happened as JSON.

usage: python agents.py BASE_URL KEY MODEL TASK
"""

import asyncio
import json
import sys
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models import Model
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider


class Place(BaseModel):
    """Where something is."""

    city: str
    country: str | None = None


def weather(city: str) -> str:
    """Tells the weather.

    Args:
        city: The city
    """
    return f"Sunny in {city}."


def distance(start: str, end: str, unit: str = "km") -> dict[str, Any]:
    """Tells how far two cities are from each other."""
    return {"between": [start, end], "unit": unit, "distance": 3}


def models(base_url: str, key: str, name: str) -> dict[str, Model]:
    openai = OpenAIProvider(base_url=base_url, api_key=key)
    anthropic = AnthropicProvider(base_url=base_url.removesuffix("/v1"), api_key=key)
    return {
        "chat completions": OpenAIChatModel(name, provider=openai),
        "responses": OpenAIResponsesModel(name, provider=openai),
        "messages": AnthropicModel(name, provider=anthropic),
    }


def calls_in(messages: list[ModelMessage]) -> list[tuple[str, dict[str, Any]]]:
    parts = [part for message in messages if isinstance(message, ModelResponse) for part in message.parts]
    return [(part.tool_name, part.args_as_dict()) for part in parts if isinstance(part, ToolCallPart)]


async def done_by(model: Model, task: str) -> dict[str, Any]:
    tools = [weather, distance]
    texts = Agent(model, instructions="You are an agent.", tools=tools)
    at_once = await texts.run(task)
    async with texts.run_stream(task) as stream:
        streamed = "".join([piece async for piece in stream.stream_text(delta=True)])
        streamed_calls = calls_in(stream.all_messages())
    followed = await texts.run("Say tea.", message_history=at_once.all_messages())
    place = await Agent(model, tools=[weather], output_type=Place).run(task)
    return {
        "at once": {"calls": calls_in(at_once.all_messages()), "answer": at_once.output},
        "streamed": {"calls": streamed_calls, "answer": streamed},
        "followed": followed.output,
        "typed": {"calls": calls_in(place.all_messages()), "answer": place.output.model_dump()},
    }


async def main() -> None:
    base_url, key, name, task = sys.argv[1:]
    done = {api: await done_by(model, task) for api, model in models(base_url, key, name).items()}
    print(json.dumps(done))


asyncio.run(main())
