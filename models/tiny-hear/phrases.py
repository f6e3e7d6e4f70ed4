"""What is said: digits, colours and short commands in English, digits and colours in Spanish; which orders are held
out.

Two words are neighbours if one follows the other in a phrase, leaving out the words of `SMALL`. An eighth of the pairs
of neighbours with a digit or a colour, chosen by a hash, is held out: no phrase of the training has such a pair, and
each phrase with held-out orders has one.
"""

import hashlib
import random
from itertools import pairwise

DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
COLOURS = ("red", "green", "blue", "yellow", "black", "white", "orange", "purple", "pink", "brown")
SMALL = ("the", "to")
COMMANDS = (
    ("open|close", "the", "door|window"),
    ("open|close", "the", "COLOUR", "door|window"),
    ("turn", "on|off|up|down", "the", "light|lamp|music"),
    ("turn", "on|off", "the", "COLOUR", "light|lamp"),
    ("turn", "the", "COLOUR", "light|lamp", "on|off"),
    ("turn", "the", "light|lamp|music", "on|off|up|down"),
    ("set", "the", "timer|music", "to", "DIGIT"),
    ("set", "the", "timer", "to", "DIGIT", "DIGIT"),
    ("set", "the", "light|lamp", "to", "COLOUR"),
    ("play|stop|start|pause", "the", "music|timer"),
    ("play|stop|start|pause", "music"),
    ("go", "left|right|up|down"),
    ("go", "left|right|up|down", "DIGIT"),
    ("show", "COLOUR", "DIGIT"),
    ("show", "DIGIT", "COLOUR", "DIGIT"),
    ("call", "DIGIT", "DIGIT", "DIGIT"),
    ("yes|no|stop|start|pause",),
    ("yes|no", "open|close", "the", "door|window"),
    ("yes|no", "go", "left|right|up|down"),
)
SPANISH = {
    "cero": "zero",
    "uno": "one",
    "dos": "two",
    "tres": "three",
    "cuatro": "four",
    "cinco": "five",
    "seis": "six",
    "siete": "seven",
    "ocho": "eight",
    "nueve": "nine",
    "rojo": "red",
    "verde": "green",
    "azul": "blue",
    "amarillo": "yellow",
    "negro": "black",
    "blanco": "white",
}
SORTED_ALTERNATIVES = {"DIGIT": DIGITS, "COLOUR": COLOURS}
HELD_SHARE = 8  # one of so many pairs is held out

Phrase = tuple[str, ...]


def english_words() -> list[str]:
    words = {word for command in COMMANDS for slot in command for word in slot.split("|")}
    return sorted((words - set(SORTED_ALTERNATIVES)) | set(DIGITS) | set(COLOURS))


def is_held_pair(first: str, second: str) -> bool:
    named = {*DIGITS, *COLOURS, *SPANISH}
    if first not in named and second not in named:
        return False
    return hashlib.sha256(f"{first} {second}".encode()).digest()[0] % HELD_SHARE == 0


def has_held_order(phrase: Phrase) -> bool:
    words = [word for word in phrase if word not in SMALL]
    return any(is_held_pair(*pair) for pair in pairwise(words))


def draw_any(rng: random.Random, language: str) -> Phrase:
    sort = rng.random()
    if language == "es":
        return tuple(rng.choices(list(SPANISH), k=rng.randint(1, 6)))
    if sort < 0.25:
        return tuple(rng.choices(DIGITS, k=rng.randint(1, 7)))
    if sort < 0.4:
        return tuple(rng.choices(COLOURS, k=rng.randint(1, 5)))
    if sort < 0.55:
        return tuple(rng.choices((*DIGITS, *COLOURS), k=rng.randint(2, 6)))
    if sort < 0.62:
        return tuple(rng.choices(english_words(), k=rng.randint(1, 5)))
    return tuple(
        rng.choice(SORTED_ALTERNATIVES[slot] if slot in SORTED_ALTERNATIVES else slot.split("|"))
        for slot in rng.choice(COMMANDS)
    )


def draw_phrase(rng: random.Random, language: str, held: bool) -> Phrase:
    """A phrase with a held-out order if `held`, otherwise one without."""
    while True:
        phrase = draw_any(rng, language)
        if has_held_order(phrase) == held:
            return phrase
