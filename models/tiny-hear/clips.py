"""Recordings of one phrase each, and files of them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from phrases import Phrase

RATE = 16000  # samples per second
MARGIN = 0.06  # seconds before the first word and after the last one
BLOCK = 160  # samples whose loudness is measured
QUIET = 0.02  # of the loudest block


@dataclass
class Clip:
    """`spans` are the beginning and the end of each word, in seconds."""

    voice: str
    words: Phrase
    spans: list[tuple[float, float]]
    samples: np.ndarray


def cut_clip(
    samples: np.ndarray, words: Phrase, spans: Sequence[tuple[float, float]], start: float, end: float, voice: str
) -> Clip:
    """The part from `start` to `end` without the silence around it. Words that follow one another touch."""
    part = samples[round(start * RATE) : round(end * RATE)]
    blocks = np.sqrt((part[: len(part) // BLOCK * BLOCK].reshape(-1, BLOCK) ** 2).mean(axis=1))
    loud = np.flatnonzero(blocks > QUIET * blocks.max())
    first, last = loud[0] * BLOCK / RATE, (loud[-1] + 1) * BLOCK / RATE
    begin = max(0.0, first - MARGIN)
    kept = part[round(begin * RATE) : round((last + MARGIN) * RATE)]
    inner = [(left[1] + right[0]) / 2 - start - begin for left, right in zip(spans, spans[1:], strict=False)]
    edges = np.clip([first - begin, *inner, last - begin], first - begin, last - begin)
    return Clip(voice, words, [(float(a), float(b)) for a, b in zip(edges, edges[1:], strict=False)], kept)


def save(clips: Sequence[Clip], path: Path) -> None:
    """Writes `path`.npy, which has all samples, and `path`.json, which says what they are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scaled = [np.clip(clip.samples * 32767, -32767, 32767).astype(np.int16) for clip in clips]
    np.save(path.with_suffix(".npy"), np.concatenate(scaled))
    index = [asdict(clip) | {"samples": len(clip.samples)} for clip in clips]
    path.with_suffix(".json").write_text(json.dumps(index))


def load(path: Path) -> list[Clip]:
    samples, at, clips = np.load(path.with_suffix(".npy")), 0, []
    for entry in json.loads(path.with_suffix(".json").read_text()):
        part = samples[at : at + entry["samples"]].astype(np.float32) / 32767
        at += entry["samples"]
        clips.append(Clip(entry["voice"], tuple(entry["words"]), [tuple(span) for span in entry["spans"]], part))
    return clips
