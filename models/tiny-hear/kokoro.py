"""Kokoro-82M of `.cache/packs/kokoro-82m`: speech of words, with the time of each word."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from scipy.signal import resample_poly

from clips import RATE, Clip, cut_clip
from phrases import Phrase, english_words

PACK = Path(__file__).resolve().parents[2] / ".cache" / "packs" / "kokoro-82m"
DURATIONS = "/encoder/Clip_output_0"  # frames of each phoneme, a value inside the graph
SOURCE_RATE = 24000
FRAME = 600  # samples at that rate
STYLE = 256
HELD_VOICES = ("af_sarah", "am_michael", "bf_emma", "bm_george")
WEAK = {"the": "ðə", "to": "tə"}
SPANISH_PHONEMES = {
    "cero": "sˈeɾo",
    "uno": "ˈuno",
    "dos": "dˈos",
    "tres": "tɾˈes",
    "cuatro": "kwˈatɾo",
    "cinco": "sˈiŋko",
    "seis": "sˈeis",
    "siete": "sjˈete",
    "ocho": "ˈoʧo",
    "nueve": "nwˈeβe",
    "rojo": "rˈoxo",
    "verde": "bˈeɾðe",
    "azul": "asˈul",
    "amarillo": "amaɾˈijo",
    "negro": "nˈeɣɾo",
    "blanco": "blˈaŋko",
}


def voices(held: bool) -> list[str]:
    names = sorted(path.stem for path in (PACK / "voices").glob("*.bin"))
    return [name for name in names if (name in HELD_VOICES) == held]


class Kokoro:
    def __init__(self, threads: int = 1) -> None:
        graph = onnx.load(PACK / "onnx" / "model_quantized.onnx")
        graph.graph.output.append(onnx.helper.make_tensor_value_info(DURATIONS, onnx.TensorProto.FLOAT, None))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
        self.vocabulary = json.loads((PACK / "tokenizer.json").read_text())["model"]["vocab"]
        self.styles = {
            name: np.fromfile(PACK / "voices" / f"{name}.bin", np.float32).reshape(-1, STYLE)
            for name in voices(held=True) + voices(held=False)
        }
        self.phonemes = {accent: self.lexicon(language) for accent, language in (("a", "en-US"), ("b", "en-GB"))}

    def lexicon(self, language: str) -> dict[str, str]:
        lexicon = json.loads((PACK / "lexicon" / f"{language}.json").read_text())
        words = {}
        for word in english_words():
            entry = lexicon[word]
            words[word] = WEAK.get(word) or (entry if isinstance(entry, str) else entry["DEFAULT"])
        return words | SPANISH_PHONEMES

    def speak(self, phrases: Sequence[Phrase], voice: str, speed: float, other: str, share: float) -> list[Clip]:
        """The phrases, said with a stop after each. `share` of the style is that of the voice `other`."""
        pieces = [[self.phonemes[voice[0]][word] for word in phrase] for phrase in phrases]
        text = " ".join(" ".join(phrase) + "." for phrase in pieces)
        ids = [0, *(self.vocabulary[phoneme] for phoneme in text), 0]
        style = (1 - share) * self.styles[voice][len(text)] + share * self.styles[other][len(text)]
        inputs = {
            self.session.get_inputs()[0].name: np.array([ids], np.int64),
            "style": style[None],
            "speed": np.array([speed], np.float32),
        }
        audio, frames = self.session.run(None, inputs)
        samples = resample_poly(audio.reshape(-1), 2, 3).astype(np.float32)
        edges = np.concatenate([[0], np.cumsum(frames.reshape(-1))]) * FRAME / SOURCE_RATE
        clips, at, cut = [], 1, 0.0
        for phrase, sounds in zip(phrases, pieces, strict=True):
            spans = []
            for sound in sounds:
                spans.append((edges[at], edges[at + len(sound)]))
                at += len(sound) + 1
            end = (spans[-1][1] + edges[at]) / 2 if at < len(ids) - 1 else len(samples) / RATE
            clips.append(cut_clip(samples, phrase, spans, cut, end, voice))
            at, cut = at + 1, end
        return clips
