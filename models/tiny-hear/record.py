"""Says phrases with Kokoro and espeak-ng and writes the recordings to files.

usage: python record.py OUT_DIR kokoro|espeak SPLIT COUNT SEED

The splits are `train`, and for the measurement `voices` (held-out voices), `orders` (held-out orders) and `both`.
"""

import random
import sys
from pathlib import Path

import clips
import espeak
import kokoro
from phrases import draw_phrase

SPANISH_SHARE = 0.15
MIXED_SHARE = 0.5  # of the training's voices of Kokoro are mixtures of two
PHRASES = 2  # that Kokoro says in one go


def from_kokoro(rng: random.Random, split: str, count: int) -> list[clips.Clip]:
    model, found = kokoro.Kokoro(), []
    names = kokoro.voices(held=split in ("voices", "both"))
    while len(found) < count:
        language = "es" if rng.random() < SPANISH_SHARE else "en"
        phrases = [draw_phrase(rng, language, split in ("orders", "both")) for _ in range(PHRASES)]
        voice, other, share = rng.choice(names), rng.choice(names), 0.0
        if split == "train" and rng.random() < MIXED_SHARE:
            share = rng.uniform(0.2, 0.5)
        found += model.speak(phrases, voice, rng.uniform(0.8, 1.3), other, share)
    return found


def from_espeak(rng: random.Random, split: str, count: int) -> list[clips.Clip]:
    voice, found = espeak.Espeak(), []
    variants = espeak.HELD_VARIANTS if split in ("voices", "both") else espeak.VARIANTS
    while len(found) < count:
        language = "es" if rng.random() < SPANISH_SHARE else "en"
        phrase = draw_phrase(rng, language, split in ("orders", "both"))
        name = f"{rng.choice(espeak.ACCENTS[language])}+{rng.choice(variants)}"
        ranges = (espeak.SPEEDS, espeak.PITCHES, espeak.RANGES)
        clip = voice.speak(phrase, name, *(rng.randint(*limits) for limits in ranges))
        if clip:
            found.append(clip)
    return found


def main() -> None:
    out, source, split, count, seed = sys.argv[1:]
    rng = random.Random(f"{source} {split} {seed}")
    found = (from_kokoro if source == "kokoro" else from_espeak)(rng, split, int(count))
    clips.save(found, Path(out) / f"{source}-{split}-{seed}")
    seconds = sum(len(clip.samples) for clip in found) / clips.RATE
    print(f"{source} {split}: {len(found)} phrases, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
