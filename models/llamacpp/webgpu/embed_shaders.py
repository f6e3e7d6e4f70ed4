"""``embed_shaders.py FOLDER HEADER``: writes llama.cpp's shaders as a C++ header.

A shader is a list of texts, because the files that shaders include are most of them: llama.cpp's own script repeats these
texts in every shader. A shader is put together when it is first used.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#include\s+"([^"]+)"\s*$', re.MULTILINE)
# Compilers refuse longer literals.
LONGEST = 16000

HEAD = """#pragma once

#include <initializer_list>
#include <string>
#include <vector>

class Shader {
public:
  Shader(std::initializer_list<const char *> parts) : parts_(parts) {}
  operator const std::string &() const {
    if (text_.empty()) for (const char *part : parts_) text_ += part;
    return text_;
  }
  operator const char *() const { return static_cast<const std::string &>(*this).c_str(); }

private:
  std::vector<const char *> parts_;
  mutable std::string text_;
};
"""


def compact(text: str) -> str:
    """The text without comments and indentation, which WGSL and its preprocessor do not need."""
    lines = (re.sub(r"//.*", "", line).strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line)


def literal(text: str) -> str:
    """A text as C++."""
    parts = (text[start : start + LONGEST] for start in range(0, len(text), LONGEST))
    return " ".join(f'R"wgsl({part})wgsl"' for part in parts)


class Embedding:
    """Collects the texts that shaders are made of."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        # Text to its name.
        self.names: dict[str, str] = {}

    def parts(self, file: str) -> list[str]:
        """Names of the texts that a file is made of, in order."""
        pieces = INCLUDE.split((self.folder / file).read_text())
        found: list[str] = []
        for index, piece in enumerate(pieces):
            if index % 2 == 1:
                found += self.parts(piece)
            elif text := compact(piece):
                found.append(self.names.setdefault(text, f"text_{len(self.names)}"))
        return found


def main(folder: str, header: str) -> None:
    """Writes HEADER."""
    source = pathlib.Path(folder)
    embedding = Embedding(source)
    shaders = {path.stem: embedding.parts(path.name) for path in sorted(source.glob("*.wgsl"))}
    texts = [f"static const char {name}[] = {literal(text)};" for text, name in embedding.names.items()]
    uses = [f"static const Shader wgsl_{name}{{{', '.join(parts)}}};" for name, parts in shaders.items()]
    pathlib.Path(header).write_text("\n".join([HEAD, *texts, "", *uses, ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
