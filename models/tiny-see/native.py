"""Asks native llama.cpp, through look.cpp."""

import os
import struct
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from questions import PICTURE, Message

MARKER = "<__media__>"  # mtmd's, where a picture stands


@dataclass(frozen=True)
class Case:
    messages: list[Message]  # without the answer
    pictures: list[Image.Image]

    @property
    def prompt(self) -> str:
        """As the template renders it."""
        turns = "".join(f"<|im_start|>{message.role}\n{message.content}<|im_end|>\n" for message in self.messages)
        return f"{turns}<|im_start|>assistant\n".replace(PICTURE, MARKER)


def encoded(case: Case) -> bytes:
    parts = [struct.pack("<I", len(case.pictures))]
    for picture in case.pictures:
        parts += [struct.pack("<II", *picture.size), picture.convert("RGB").tobytes()]
    prompt = case.prompt.encode()
    return b"".join([*parts, struct.pack("<I", len(prompt)), prompt])


def lines(program: Path, folder: Path, cases: Iterable[Case], logits: bool = False) -> list[str]:
    """What llama.cpp writes for each case, with the GGUF files in the folder."""
    command = [program, folder / "tiny-see-F32.gguf", folder / "mmproj-tiny-see-F32.gguf"]
    environment = os.environ | ({"LOGITS": "1"} if logits else {})
    data = b"".join(encoded(case) for case in cases)
    done = subprocess.run(command, input=data, stdout=subprocess.PIPE, env=environment, check=True)
    return done.stdout.decode(errors="replace").splitlines()


@dataclass(frozen=True)
class Answer:
    text: str
    margin: float  # the least of its tokens, in logits


def answers(program: Path, folder: Path, cases: Iterable[Case]) -> list[Answer]:
    found = (line.split("\t", 1) for line in lines(program, folder, cases))
    return [Answer(text, float(margin)) for margin, text in found]
