"""Windows for the training: phrases placed in time, with noise, their spectrogram and their tokens.

A window has `frames` frames of the 30 seconds and begins at a random position of them. The rest of the 30 seconds is
left out, as if nobody could attend to it. This makes the training affordable; the last stages have whole windows.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import mel
from clips import Clip
from phrases import SPANISH, english_words, has_held_order
from tokens import END, NO_SPEECH, NO_TIMESTAMPS, POSITIONS, PREVIOUS, START, Ids

FRAME_CLASSES = ["", *english_words(), *SPANISH]
PLACES = (0, -1, 1)  # the word that is heard, the one before it and the one behind it
POSITION = 2 * mel.HOP  # samples
IGNORED = -1
NOISE = 1 << 16  # samples
NOISES = 100
ENOUGH = 0.6  # of a word must be in the window for it to be written
FEW = 0.25  # of the windows say the same few phrases over and over
STUTTERED = 0.25  # of the phrases say a word several times
TIMED = 0.5  # of the windows have timestamps


@dataclass(frozen=True)
class Kind:
    frames: int
    tokens: int  # at most
    pause: float  # seconds at most between phrases


SHORT, MIDDLE, WHOLE = Kind(300, 40, 0.8), Kind(600, 48, 1.5), Kind(3000, 112, 4.0)


@dataclass
class Placed:
    words: Sequence[str]
    spans: list[tuple[float, float]]  # seconds in the window


def varied(rng: random.Random, clip: Clip, lowest: float, highest: float) -> tuple[np.ndarray, float]:
    """The clip with another speed and pitch and loudness, and how much slower it is."""
    slower = rng.uniform(lowest, highest)
    at = np.arange(0, len(clip.samples) - 1, 1 / slower)
    samples = np.interp(at, np.arange(len(clip.samples)), clip.samples)
    return samples * 10 ** rng.uniform(-0.4, 0.2) / (np.abs(samples).max() + 1e-3), slower


def stuttered(rng: random.Random, clip: Clip) -> Clip:
    """The clip with one of its words said again, once or twice: equal words in a row are the hardest to count."""
    at, times = rng.randrange(len(clip.words)), rng.randint(1, 2)
    words = (*clip.words[:at], *[clip.words[at]] * times, *clip.words[at:])
    start, stop = clip.spans[at]
    first, last = round(start * mel.RATE), round(stop * mel.RATE)
    said, length = clip.samples[first:last], stop - start
    if has_held_order(words):
        return clip
    spans = [(a, b) for a, b in clip.spans[: at + 1]]
    spans += [(a + time * length, b + time * length) for time in range(1, times + 1) for a, b in [clip.spans[at]]]
    spans += [(a + times * length, b + times * length) for a, b in clip.spans[at + 1 :]]
    return Clip(clip.voice, words, spans, np.concatenate([clip.samples[:first], *[said] * times, clip.samples[first:]]))


def noise(rng: np.random.Generator) -> np.ndarray:
    """Of a random colour from white to brown, and a hum now and then. It can be repeated without a click."""
    spectrum = np.fft.rfft(rng.standard_normal(NOISE))
    spectrum /= np.maximum(np.arange(len(spectrum)), 20 * NOISE / mel.RATE) ** rng.uniform(0, 1)
    coloured = np.fft.irfft(spectrum)
    coloured /= coloured.std()
    if rng.random() < 0.2:
        coloured += rng.uniform(0.1, 1) * np.sin(2 * np.pi * rng.choice([200, 250, 400]) * np.arange(NOISE) / NOISE)
    return (coloured / coloured.std()).astype(np.float32)


def echo(rng: np.random.Generator, samples: np.ndarray) -> np.ndarray:
    out = samples.copy()
    for _ in range(rng.integers(2, 6)):
        delay = int(rng.uniform(0.005, 0.09) * mel.RATE)
        out[delay:] += rng.uniform(-0.35, 0.35) * samples[:-delay]
    return out


class Windows:
    def __init__(self, sources: Sequence[Sequence[Clip]], ids: Ids, seed: int) -> None:
        self.sources = [self.by_language(clips) for clips in sources]
        self.ids, self.rng, self.numpy = ids, random.Random(seed), np.random.default_rng(seed)
        self.noises = [noise(self.numpy) for _ in range(NOISES)]

    @staticmethod
    def by_language(clips: Sequence[Clip]) -> dict[str, list[Clip]]:
        found: dict[str, list[Clip]] = {"en": [], "es": []}
        for clip in clips:
            found["es" if clip.words[0] in SPANISH else "en"].append(clip)
        return found

    def some_noise(self) -> np.ndarray:
        return np.roll(self.rng.choice(self.noises), self.rng.randrange(NOISE))

    def sound(self, kind: Kind, language: str) -> tuple[np.ndarray, list[Placed], float]:
        """Samples with a margin for the spectrogram, the phrases in them, and where the recording ends in seconds."""
        rng, total = self.rng, kind.frames * mel.HOP
        margin = mel.FFT // 2
        samples = np.zeros(total + 2 * margin, np.float32)
        seconds = total / mel.RATE
        clips = rng.choice(self.sources)[language]
        if rng.random() < FEW:
            clips = rng.choices(clips, k=rng.randint(1, 3))
        whole = kind is WHOLE
        at, placed, tokens = rng.uniform(-0.4, 1.2) if whole else rng.uniform(0, 0.7), [], 8
        end = rng.uniform(2, seconds) if whole and rng.random() < 0.3 else seconds
        if rng.random() < 0.04:
            end, at = end, seconds  # nobody speaks
        while at < end:
            clip = rng.choice(clips)
            if rng.random() < STUTTERED:
                clip = stuttered(rng, clip)
            part, slower = varied(rng, clip, 0.87, 1.17)
            tokens += len(clip.words) + 2
            length = len(part) / mel.RATE
            cut_allowed = whole and end == seconds and rng.random() < 0.7
            if tokens > kind.tokens or (at + length > end and not cut_allowed):
                break
            first = round(at * mel.RATE) + margin
            start, stop = max(first, 0), min(first + len(part), len(samples))
            if stop > start:
                samples[start:stop] += part[start - first : stop - first]
            placed.append(Placed(clip.words, [(at + a * slower, at + b * slower) for a, b in clip.spans]))
            at += length + rng.uniform(0.25, rng.choice([0.6, kind.pause]))
        loudest = np.abs(samples).max() or 0.1
        if rng.random() < 0.25:
            samples = echo(self.numpy, samples)
        if rng.random() < 0.8:
            samples += np.resize(self.some_noise(), len(samples)) * loudest * 10 ** rng.uniform(-3.5, -1.3)
        recorded = seconds
        if rng.random() < 0.6:
            spoken = placed[-1].spans[-1][1] if placed else rng.uniform(0, seconds)
            recorded = min(seconds, spoken + rng.uniform(0.05, 1.0))
            samples[round(recorded * mel.RATE) + margin :] = 0
        return samples * 10 ** rng.uniform(-1.3, 0.1), placed, recorded

    def spectrogram(self, samples: np.ndarray, kind: Kind, recorded: float) -> np.ndarray:
        """[frame, mel] with another tone colour, and with the zeros of transformers.js behind a part of a recording."""
        logs = mel.log_mel(samples)[: kind.frames]
        rng = self.rng
        if rng.random() < 0.6:
            bends = [rng.uniform(-0.25, 0.25) for _ in range(5)]
            logs = logs + np.interp(np.arange(mel.MELS), np.linspace(0, mel.MELS - 1, 5), bends).astype(np.float32)
            logs = np.maximum(logs, logs.max() - mel.RANGE / 4)
        if rng.random() < 0.25:
            first = rng.randrange(mel.MELS - 8)
            logs[:, first : first + rng.randint(1, 7)] = logs.min()
        if kind is WHOLE and rng.random() < 0.25:
            logs[round(recorded * mel.RATE / mel.HOP) :] = 0.0
        return logs

    def transcript(self, placed: Sequence[Placed], kind: Kind, first: int, timed: bool, translated: bool):
        """Tokens and the span of each in positions of the window: [(token, (start, end) or None)]."""
        end = kind.frames / 2
        out: list[tuple[int, tuple[float, float] | None]] = []

        def stamp(position: float) -> None:
            at = round(min(max(position, 0), end))
            out.append((self.ids.timestamps + first + at, (at - 2, at + 2)))

        for phrase in placed:
            spans = [(a * mel.RATE / POSITION, b * mel.RATE / POSITION) for a, b in phrase.spans]
            heard = [min(b, end) - max(a, 0) >= ENOUGH * (b - a) for a, b in spans]
            if not any(heard):
                continue
            if timed:
                stamp(spans[0][0])
                if spans[-1][1] > end + 1:
                    return out
            for word, span, is_heard in zip(phrase.words, spans, heard, strict=True):
                if is_heard:
                    out.append((self.ids.words[SPANISH[word] if translated else word], span))
            if timed:
                stamp(spans[-1][1])
        return out

    def draw(self, kind: Kind):
        rng, ids = self.rng, self.ids
        language = "es" if rng.random() < 0.2 else "en"
        samples, placed, recorded = self.sound(kind, language)
        first = 0 if kind is WHOLE or rng.random() < 0.3 else rng.randrange(POSITIONS - kind.frames // 2)
        timed = rng.random() < TIMED
        translated = language == "es" and rng.random() < 0.35
        task = "translate" if translated else "transcribe"
        spoken = self.transcript(placed, kind, first, timed, translated)
        prefix = []
        if rng.random() < 0.08:
            vocabulary = [word for word in ids.words if (word in SPANISH) == (language == "es" and not translated)]
            prefix = [ids.special[PREVIOUS], *(ids.words[rng.choice(vocabulary)] for _ in range(rng.randint(1, 6)))]
        head = [ids.special[START], ids.named(language), ids.named(task)]
        if not timed:
            head.append(ids.special[NO_TIMESTAMPS])
        tokens = [(token, None) for token in (*prefix, *head)] + spoken
        tokens = tokens[: kind.tokens]
        inputs = np.full(kind.tokens, ids.special[END], np.int32)
        targets = np.full(kind.tokens, IGNORED, np.int32)
        spans = np.full((2, kind.tokens, 2), IGNORED, np.float32)
        follow = [*tokens[1:], (ids.special[END], None)]
        for at, ((token, span), (target, next_span)) in enumerate(zip(tokens, follow, strict=True)):
            inputs[at] = token
            if at == len(prefix) and not spoken:
                targets[at] = ids.special[NO_SPEECH]
            elif at >= len(prefix) + len(head) - 1 or at == len(prefix):
                targets[at] = target
            for row, place in ((0, next_span), (1, span)):
                if place:
                    spans[row, at] = place
        classes = np.zeros((kind.frames // 2, len(PLACES)), np.int32)
        for phrase in placed:
            around = ["", *phrase.words, ""]
            for at, (a, b) in enumerate(phrase.spans, 1):
                begin, stop = (round(max(0, x) * mel.RATE / POSITION) for x in (a, b))
                classes[begin:stop] = [FRAME_CLASSES.index(around[at + place]) for place in PLACES]
        positions = np.arange(first, first + kind.frames // 2, dtype=np.int32)
        return self.spectrogram(samples, kind, recorded), positions, inputs, targets, spans, classes

    def batch(self, kind: Kind, count: int) -> tuple[np.ndarray, ...]:
        return tuple(np.stack(parts) for parts in zip(*(self.draw(kind) for _ in range(count)), strict=True))
