"""``python -m compiler SHAPE.json RUNTIME_OBJECTS OUT``: writes OUT/<name>.wasm and OUT/<name>.params.json."""

import json
import pathlib
import sys

from .build import compile_shape
from .link import link
from .shape import Shape

MEMORY_MB = 64  # initial wasm memory; it grows when shards of weights pass through it


def main(shape_file: str, runtime: str, out: str) -> None:
    """Compiles one shape."""
    shape = Shape.read(pathlib.Path(shape_file))
    folder = pathlib.Path(out)
    executable, params = compile_shape(shape)
    work = folder / shape.name
    link(executable, pathlib.Path(runtime), MEMORY_MB, work / "model.wasm")
    (work / "model.wasm").rename(folder / f"{shape.name}.wasm")
    (folder / f"{shape.name}.params.json").write_text(json.dumps(params))


if __name__ == "__main__":
    main(*sys.argv[1:])
