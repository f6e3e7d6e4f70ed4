"""Capitals and counting."""

from corpus.turn import Facts, Turn
from corpus.words import CAPITALS, Draw

CAPITAL_QUESTIONS = [
    "What is the capital of {}?",
    "Tell me the capital of {}.",
    "Which city is the capital of {}?",
    "Capital of {}?",
    "What's the capital of {}?",
    "What is the capital city of {}?",
]
SHORT_CAPITAL_QUESTIONS = ["And of {}?", "And {}?"]  # only right after another capital
COUNT_REQUESTS = ["Count to {}.", "Count to {}"]
OTHER_COUNT_REQUESTS = ["Count from 1 to {}.", "Please count to {}."]
MOST_TO_COUNT = 100


def capital(draw: Draw, facts: Facts) -> Turn:
    short = facts.last_kind == "capital" and draw.chance(0.4)
    country = draw.choice(list(CAPITALS))
    text = draw.choice(SHORT_CAPITAL_QUESTIONS if short else CAPITAL_QUESTIONS).format(country)
    city = CAPITALS[country]
    thought = f"The user asks for the capital of {country}. It is {city}."
    return Turn(text, thought, f"The capital of {country} is {city}.", text)


def count(draw: Draw, facts: Facts) -> Turn:
    """In training, held-out numbers occur only in phrasings that held-out prompts do not use."""
    last = draw.rng.randint(2, 20) if draw.chance(0.5) else draw.rng.randint(21, MOST_TO_COUNT)
    may_be_held_out = draw.held or draw.chance(0.5)
    request = draw.choice(COUNT_REQUESTS if may_be_held_out else OTHER_COUNT_REQUESTS).format(last)
    answer = " ".join(map(str, range(1, last + 1)))
    return Turn(request, f"I count from 1 to {last}.", answer, f"count|{last}" if may_be_held_out else None)
