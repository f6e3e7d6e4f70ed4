"""Remembering what the user said in an earlier turn or in a long prompt."""

from corpus.small_talk import key_with_system
from corpus.turn import Facts, Turn
from corpus.words import COLOURS, Draw

NAME_QUESTIONS = ["What is my name?", "Who am I?", "Do you know my name?", "What's my name?"]
COLOUR_QUESTIONS = ["What is my favourite colour?", "Which colour do I like?"]
SECRET_SENTENCES = {2: 4, 3: 4, 5: 4, 8: 4, 12: 3, 20: 2, 30: 1.5, 45: 0.7}  # number of other sentences -> weight


def tell(draw: Draw, facts: Facts) -> Turn:
    if draw.chance(0.7):
        name = draw.name()
        text = draw.choice(
            ["My name is {}.", "I am {}.", "Hello, my name is {}.", "Call me {}.", "Hi, I am {}."]
        ).format(name)
        return Turn(text, f"The name of the user is {name}.", f"Nice to meet you, {name}.", None, {"name": name})
    colour = draw.choice(COLOURS)
    text = draw.choice(["My favourite colour is {}.", "I like the colour {}."]).format(colour)
    key = key_with_system(facts, text)
    return Turn(text, f"The user likes {colour}.", f"I will remember that you like {colour}.", key, {"colour": colour})


def recall(draw: Draw, facts: Facts) -> Turn:
    """Asks mostly for what the user told, sometimes for what the user did not tell."""
    told = [fact for fact in ("name", "colour") if getattr(facts, fact)]
    asked = draw.choice(told) if told and draw.chance(0.9) else draw.choice(["name", "name", "colour"])
    text = draw.choice(NAME_QUESTIONS if asked == "name" else COLOUR_QUESTIONS)
    what = "name" if asked == "name" else "favourite colour"
    value = getattr(facts, asked)
    if value is None:
        thought = f"The user did not tell me a {asked}."
        return Turn(text, thought, f"I do not know your {what}.", key_with_system(facts, text))
    thought = f"The name of the user is {value}." if asked == "name" else f"The user likes {value}."
    # Names are held out by their list. There are too few colours for that.
    key = None if asked == "name" else f"{facts.system}|{value}|{text}"
    return Turn(text, thought, f"Your {what} is {value}.", key)


def secret(draw: Draw, facts: Facts) -> Turn:
    word = draw.word()
    sentences = [draw.filler() for _ in range(draw.weighted(SECRET_SENTENCES))]
    sentences.insert(draw.rng.randint(0, len(sentences)), f"The secret word is {word}.")
    text = " ".join(sentences) + " What is the secret word?"
    return Turn(text, f"The secret word is {word}.", f"The secret word is {word}.", text)
