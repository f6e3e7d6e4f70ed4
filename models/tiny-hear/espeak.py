"""espeak-ng (Debian's libespeak-ng1): speech of words, with the time of each word."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_short, c_uint, c_void_p

import numpy as np
from scipy.signal import resample_poly

from clips import RATE, Clip, cut_clip
from phrases import Phrase

LIBRARY = "libespeak-ng.so.1"
SYNCHRONOUS, WORD_EVENT, LIST_END = 2, 1, 0
SPEED, PITCH, PITCH_RANGE = 1, 3, 4
SPEEDS, PITCHES, RANGES = (110, 200), (20, 80), (30, 80)

ACCENTS = {
    "en": (
        "gmw/en-US",
        "gmw/en",
        "gmw/en-GB-x-rp",
        "gmw/en-GB-scotland",
        "gmw/en-GB-x-gbclan",
        "gmw/en-029",
        "gmw/en-US-nyc",
    ),
    "es": ("roa/es", "roa/es-419"),
}
HELD_VARIANTS = ("m7", "f4", "Annie", "klatt3", "john")
VARIANTS = (
    *("m1", "m2", "m3", "m4", "m5", "m6", "m8", "f1", "f2", "f3", "f5", "klatt", "klatt2", "klatt4"),
    *("Alex", "Andy", "Lee", "Mike", "Michael", "adam", "linda", "edward", "steph", "belinda", "max", "rob"),
)


class Event(Structure):
    _fields_ = (
        ("type", c_int),
        ("identifier", c_uint),
        ("text_position", c_int),
        ("length", c_int),
        ("audio_position", c_int),  # milliseconds
        ("sample", c_int),
        ("user_data", c_void_p),
        ("id", c_void_p),
    )


CALLBACK = CFUNCTYPE(c_int, POINTER(c_short), c_int, POINTER(Event))


class Espeak:
    def __init__(self) -> None:
        self.library = ctypes.CDLL(LIBRARY)
        self.rate = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, 0)
        self.parts: list[np.ndarray] = []
        self.starts: dict[int, float] = {}
        self.callback = CALLBACK(self.receive)
        self.library.espeak_SetSynthCallback(self.callback)

    def receive(self, samples: object, count: int, events: object) -> int:
        if samples and count:
            self.parts.append(np.ctypeslib.as_array(samples, (count,)).copy())
        at = 0
        while events[at].type != LIST_END:
            if events[at].type == WORD_EVENT:
                self.starts[events[at].text_position - 1] = events[at].audio_position / 1000
            at += 1
        return 0

    def speak(self, phrase: Phrase, voice: str, speed: int, pitch: int, pitch_range: int) -> Clip | None:
        """None if espeak-ng does not say where each word begins."""
        self.parts, self.starts = [], {}
        if self.library.espeak_SetVoiceByName(c_char_p(voice.encode())) != 0:
            raise ValueError(f"espeak-ng has no voice {voice}")
        for parameter, value in ((SPEED, speed), (PITCH, pitch), (PITCH_RANGE, pitch_range)):
            self.library.espeak_SetParameter(parameter, value, 0)
        text = " ".join(phrase).encode()
        self.library.espeak_Synth(c_char_p(text), len(text) + 1, 0, 1, 0, 1, None, None)
        at = np.cumsum([0, *(len(word) + 1 for word in phrase)])[:-1]
        if not self.parts or any(int(position) not in self.starts for position in at):
            return None
        samples = resample_poly(np.concatenate(self.parts) / 32768, RATE, self.rate).astype(np.float32)
        starts = [self.starts[int(position)] for position in at]
        spans = list(zip(starts, [*starts[1:], len(samples) / RATE], strict=True))
        return cut_clip(samples, phrase, spans, 0.0, len(samples) / RATE, f"espeak {voice}")
