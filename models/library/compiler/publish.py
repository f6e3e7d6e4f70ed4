"""``python -m compiler.publish SHAPES LIBRARIES EMCC_VERSION OUT``: copies the libraries to OUT and writes OUT/library.json.

`slashv1 pack` reads library.json. It has the versions of all tools and, for each library, its file, size, hash,
shape and the parameters (name, shape, dtype, in order) that a pack of weights must have.
"""

import hashlib
import importlib.metadata
import json
import pathlib
import re
import shutil
import sys

from .build import QUANTISATION
from .shape import Shape

PACKAGES = ("apache-tvm", "apache-tvm-ffi", "numpy")
HEADERS = {"apache-tvm-tirx": "0.1.0a4"}


def versions(emcc: str) -> dict[str, str]:
    """Versions of everything that determines the libraries."""
    found = {name: importlib.metadata.version(name) for name in PACKAGES} | HEADERS
    return found | {"emscripten": re.search(r"\d+\.\d+\.\d+", emcc).group()}


def entry(shape: Shape, libraries: pathlib.Path) -> dict:
    """One library's record."""
    wasm = (libraries / f"{shape.name}.wasm").read_bytes()
    return {
        "file": f"{shape.name}.wasm",
        "bytes": len(wasm),
        "sha256": hashlib.sha256(wasm).hexdigest(),
        "quantization": QUANTISATION,
        "kv_bytes_per_token": shape.kv_bytes_per_token,
        "shape": {key: value for key, value in vars(shape).items() if key != "name" and value},
        "params": json.loads((libraries / f"{shape.name}.params.json").read_text()),
    }


def text_of(index: dict) -> str:
    """JSON in which each parameter is on one line."""
    text = json.dumps(index, indent=1)
    return re.sub(r"\{\s+\"name\": ([^\]]+?)\[\s+([^\]]+?)\s+\],\s+(\"dtype\": \"\w+\")\s+\}",
                  lambda m: '{ "name": ' + re.sub(r"\s+", " ", m[1]) + "[" + re.sub(r"\s+", " ", m[2]) + "], " + m[3] + " }", text) + "\n"


def main(shapes: str, libraries: str, emcc: str, out: str) -> None:
    """Copies and records every shape's library."""
    source, target = pathlib.Path(libraries), pathlib.Path(out)
    target.mkdir(exist_ok=True)
    index = {"versions": versions(emcc), "libraries": {}}
    for path in sorted(pathlib.Path(shapes).glob("*.json")):
        shape = Shape.read(path)
        index["libraries"][shape.name] = entry(shape, source)
        shutil.copyfile(source / f"{shape.name}.wasm", target / f"{shape.name}.wasm")
    (target / "library.json").write_text(text_of(index))


if __name__ == "__main__":
    main(*sys.argv[1:])
