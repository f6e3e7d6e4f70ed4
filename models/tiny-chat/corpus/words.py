"""The words of the chats, and which of them training never sees."""

import random
import zlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

CAPITALS = {
    "France": "Paris", "Italy": "Rome", "Spain": "Madrid", "Germany": "Berlin", "Japan": "Tokyo", "China": "Beijing",
    "India": "Delhi", "Egypt": "Cairo", "Kenya": "Nairobi", "Greece": "Athens", "Portugal": "Lisbon",
    "Poland": "Warsaw", "Sweden": "Stockholm", "Norway": "Oslo", "Finland": "Helsinki", "Austria": "Vienna",
    "Hungary": "Budapest", "Russia": "Moscow", "Turkey": "Ankara", "Canada": "Ottawa", "Peru": "Lima",
    "Chile": "Santiago", "Cuba": "Havana", "England": "London",
}  # fmt: skip
NAMES = (
    "Ann Bob Eva Tom Max Mia Leo Zoe Ben Sam Kim Joe Amy Dan Ida Jan Lea Ned Ola Pam Ray Sue Ted Uma Vic Wes Alice "
    "Clara David Emma Frank Grace Henry Irene James Karen Laura Marie Nadia Oscar Peter Quinn Robin Sofia Tessa Viola "
    "Wendy Xenia Yusuf Zelda"
).split()
NAMES_HELD_OUT = "Lily Otto Fred Nora Hugo Carla Ivan Rita".split()
CITIES = sorted(
    set(CAPITALS.values())
    | set(
        "Milan Naples Lyon Nice Porto Osaka Kyoto Boston Dallas Denver Chicago Seattle Miami Sydney Perth Geneva "
        "Zurich Basel Munich Hamburg Dublin Leeds Cork Prague Riga Tallinn Vilnius Dakar Accra Lagos Tunis Quito "
        "Bogota Hanoi Manila Seoul".split()
    )
)
CITIES_HELD_OUT = "Turin Genoa Bergen Malaga Austin Dresden Bristol Kobe".split()
WORDS = (
    "apple river stone cloud green tiger piano lemon table window garden silver orange music rocket bread ocean forest "
    "candle mirror button castle dragon engine flower guitar hammer island jacket kitten ladder monkey needle onion "
    "pencil rabbit saddle turtle umbrella violin wagon yellow zebra bottle carpet desert eagle finger hello world test "
    "fish moon star tree house dog cat bird banana ping pong ready done"
).split()
COLOURS = "red blue green yellow black white orange purple pink brown grey gold".split()
SKIES = "sunny cloudy rainy windy foggy snowy clear stormy hot cold wet dry".split()
ADJECTIVES = "small old happy quiet brave tall kind clever lonely funny".split()
SYLLABLES = [c + v for c in "bcdfghjklmnprstvwz" for v in "aeiou"]
SYLLABLES += ["st", "ar", "en", "ol", "x", "qu", "th", "er", "in"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def held_out(key: str) -> bool:
    """True for a tenth of all keys, which is the same tenth on every machine."""
    return zlib.crc32(key.encode()) % 10 == 0


class Draw:
    """Random choices from one side of the split: from training, or from what training never sees (held=True)."""

    def __init__(self, rng: random.Random, held: bool = False) -> None:
        self.rng = rng
        self.held = held

    def choice(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def weighted(self, options: dict[T, float]) -> T:
        return self.rng.choices(list(options), list(options.values()))[0]

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def made_up(self) -> str:
        """A word that is in no list. Its syllables differ, so that each has only one successor. Training also has
        strings of different letters, because real words that it never sees may have their tokens in any order."""
        while True:
            if not self.held and self.chance(0.35):
                parts = self.rng.sample(LETTERS, self.rng.randint(4, 8))
            else:
                parts = self.rng.sample(SYLLABLES, self.rng.randint(2, 4))
            word = "".join(parts)
            if held_out(word) == self.held:
                return word

    def name(self) -> str:
        if self.chance(0.7 if self.held else 0.45):
            return self.choice(NAMES_HELD_OUT if self.held else NAMES)
        return self.made_up().capitalize()

    def city(self) -> str:
        if self.chance(0.75 if self.held else 0.45):
            return self.choice(CITIES_HELD_OUT if self.held else CITIES)
        return self.made_up().capitalize()

    def number(self) -> str:
        """One to four different digits."""
        return "".join(self.rng.sample("123456789", self.rng.randint(1, 4)))

    def word(self) -> str:
        """Something to copy: a word, a made-up word or a number."""
        return self.weighted(
            {
                self.choice(WORDS): 42,
                self.made_up(): 42,
                self.made_up().capitalize(): 8,
                self.number(): 8,
            }
        )

    def words(self, counts: dict[int, float]) -> str:
        """Different words; their number is drawn from `counts` (number of words -> weight)."""
        return " ".join(dict.fromkeys(self.word() for _ in range(self.weighted(counts))))

    def filler(self) -> str:
        """A sentence that is irrelevant to every question."""
        pick, noun = self.choice, self.choice(WORDS)
        return pick(
            [
                lambda: f"The {noun} is {pick(ADJECTIVES)}.",
                lambda: f"The sky is {pick(COLOURS)} and the {noun} is {pick(COLOURS)}.",
                lambda: f"A {pick(ADJECTIVES)} {noun} went to {self.city()}.",
                lambda: f"It was {pick(SKIES)} in {self.city()}.",
                lambda: f"{self.name()} has a {pick(COLOURS)} {noun}.",
                lambda: f"There are {self.rng.randint(2, 99)} {noun}s.",
            ]
        )()
