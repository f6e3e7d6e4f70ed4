"""Joins the held-out recordings to files of at most 29 seconds, for the measurement, and offers some alone to the
tests.

usage: python held_out.py SPEECH_DIR OUT_DIR
"""

import json
import random
import sys
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clips import RATE, Clip, load
from phrases import SPANISH

SPLITS = ("voices", "orders", "both")
SOURCES = ("kokoro", "espeak")
PHRASES = 50  # of each source and split
SECONDS = 29.0
PAUSES = (0.5, 2.0)  # seconds
NOISE = 0.001  # of the full scale


def write_wav(path: Path, samples: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.clip(samples * 32767, -32767, 32767).astype("<i2").tobytes())


def join(rng: random.Random, clips: Sequence[Clip]) -> tuple[np.ndarray, list[dict[str, object]], int]:
    """As many of the clips as fit: the samples, what is said when, and how many they are."""
    parts, said, at = [], [], 0.0
    for clip in clips:
        pause = rng.uniform(*PAUSES)
        length = len(clip.samples) / RATE
        if at + pause + length > SECONDS:
            break
        parts += [np.zeros(round(pause * RATE), np.float32), clip.samples]
        begin = sum(len(part) for part in parts[:-1]) / RATE
        times = [[round(begin + a, 2), round(begin + b, 2)] for a, b in clip.spans]
        said.append({"voice": clip.voice, "words": clip.words, "times": times})
        at = begin + length
    samples = np.concatenate(parts)
    noise = np.random.default_rng(rng.randrange(1 << 30)).standard_normal(len(samples)) * NOISE
    return samples + noise.astype(np.float32), said, len(said)


def main() -> None:
    speech, out = Path(sys.argv[1]), Path(sys.argv[2])
    index = []
    for split in SPLITS:
        for source in SOURCES:
            rng = random.Random(f"{split} {source}")
            clips = load(speech / f"{source}-{split}-1")[:PHRASES]
            for language in ("en", "es"):
                rest = [clip for clip in clips if (clip.words[0] in SPANISH) == (language == "es")]
                while rest:
                    samples, said, count = join(rng, rest)
                    rest = rest[count:]
                    name = f"{split}-{source}-{len(index)}.wav"
                    write_wav(out / name, samples)
                    index.append({"file": name, "split": split, "source": source, "language": language, "said": said})
    (out / "index.json").write_text(json.dumps(index))


if __name__ == "__main__":
    main()
