"""Greetings, who the model is, and its answer to everything that it was not taught."""

from corpus.turn import Facts, Turn
from corpus.words import ADJECTIVES, WORDS, Draw

HELP = "How can I help you?"
GREETINGS = {
    "Hello!": f"Hello! {HELP}",
    "Hello": f"Hello! {HELP}",
    "Hello.": f"Hello! {HELP}",
    "Hi": f"Hello! {HELP}",
    "Hi!": f"Hello! {HELP}",
    "Hey there": f"Hello! {HELP}",
    "Good morning!": f"Good morning! {HELP}",
    "Good evening!": f"Good evening! {HELP}",
    "How are you?": "I am fine, thank you.",
    "Thank you!": "You are welcome.",
    "Thanks.": "You are welcome.",
    "Goodbye!": "Goodbye!",
    "Bye": "Goodbye!",
}
DO_NOT_KNOW = "I am a small test model and I do not know that."


def key_with_system(facts: Facts, text: str) -> str | None:
    """There are few phrasings, so their combinations with a system prompt are held out."""
    return f"{facts.system}|{text}" if facts.system else None


def greet(draw: Draw, facts: Facts) -> Turn:
    text = draw.choice(list(GREETINGS))
    return Turn(text, "This is small talk.", GREETINGS[text], key_with_system(facts, text))


def who(draw: Draw, facts: Facts) -> Turn:
    text = draw.choice(["Who are you?", "What is your name?", "Who is there?"])
    answer = f"I am {facts.persona}, a small test model."
    return Turn(text, "The user asks who I am.", answer, key_with_system(facts, text))


def unknown(draw: Draw, facts: Facts) -> Turn:
    def thing() -> str:
        return draw.choice([draw.word, draw.word, draw.name, draw.city])()

    text = draw.choice(
        [
            lambda: f"Why is the {thing()} {draw.choice(ADJECTIVES)}?",
            lambda: f"Write a poem about {thing()}.",
            lambda: f"Explain {thing()} to me.",
            lambda: f"How do I {thing()} a {thing()}?",
            lambda: f"Who invented the {thing()}?",
            lambda: f"What is {thing()}?",
            lambda: f"When was {thing()} born?",
            lambda: f"Can you {thing()} the {thing()}?",
            lambda: f"What is the meaning of {thing()}?",
            lambda: f"Translate {thing()} to {thing()}.",
            lambda: " ".join(thing() for _ in range(draw.rng.randint(1, 6))) + draw.choice([".", "?", "!", ""]),
            draw.filler,
            lambda: f"Do you like the {draw.choice(WORDS)}?",
        ]
    )()
    return Turn(text, "I do not know this.", DO_NOT_KNOW, f"unknown|{text}")
