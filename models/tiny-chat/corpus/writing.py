"""Writing on request: an exact echo, a person as JSON, and a long story, always the same for the same request."""

import json

from corpus.turn import Facts, Turn
from corpus.words import ADJECTIVES, WORDS, Draw

STORY = (
    "Once upon a time there was a {adjective} {hero}. The {hero} lived in a house by the river. Every day the {hero} "
    "went to the garden and looked at the sky. One night the {hero} saw a bright star. The {hero} said: I will follow "
    "that star. So the {hero} walked and walked until the morning. The {adjective} {hero} was very happy. The end."
)
SAY = [
    "Say {}.",
    "Say {}",
    'Say "{}".',
    "Repeat {}.",
    "Repeat the word {}.",
    "Repeat after me: {}",
    "Please say {}.",
    "Say the word {}.",
]


def say(draw: Draw, facts: Facts) -> Turn:
    words = draw.words({1: 60, 2: 25, 3: 12, 4: 3})
    return Turn(draw.choice(SAY).format(words), f"The user wants me to say {words}.", words, f"say|{words}")


def person(draw: Draw, facts: Facts) -> Turn:
    name, age, city = draw.name(), draw.rng.randint(1, 99), draw.city()
    request = draw.choice(["Describe {} as JSON.", "Describe {} in JSON.", "Give me JSON for {}."]).format(name)
    text, fields = draw.weighted(
        {
            (request, 1): 0.3,
            (f"{name} is {age} years old. {request}", 2): 0.25,
            (f"{name} is {age} years old and lives in {city}. {request}", 3): 0.25,
            (f"Give me a JSON object with name {name} and age {age}.", 2): 0.2,
        }
    )
    everything = {"name": name, "age": age, "city": city}
    answer = json.dumps(dict(list(everything.items())[:fields]))
    return Turn(text, f"I write {name} as JSON.", answer, text)


def story(draw: Draw, facts: Facts) -> Turn:
    hero, adjective = draw.choice(WORDS), draw.choice(ADJECTIVES)
    text = draw.choice(["Tell me a story about a {} {}.", "Write a story about a {} {}."]).format(adjective, hero)
    answer = STORY.format(adjective=adjective, hero=hero)
    return Turn(text, f"I write a story about a {hero}.", answer, f"story|{adjective}|{hero}")
