"""``publish.py LINKED EMCC_VERSION SOURCE SHA256 OUT``: copies the linked products to OUT and describes them there.

Each product is a JavaScript module and its `.wasm`. llamacpp.json has what determines them, which is versions and the
hashes of our own sources, and for each file its size and hash.
"""

import hashlib
import json
import pathlib
import re
import sys

# The type of the factory of each.
PRODUCTS = {
    "llamacpp": "LlamaModuleFactory",
    "llamacpp-threads": "LlamaModuleFactory",
    "llamacpp-gpu": "LlamaGpuModuleFactory",
}

# Debian's emcc begins a module with a static import that only Node can resolve.
DEBIAN_IMPORT = """import { createRequire } from 'module';
const require = createRequire(import.meta.url);
"""
NODE_ONLY = """const require = globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);
"""

TYPES = """import type { FACTORY } from '../module.ts';

declare const make: FACTORY;
export default make;
"""


def script(path: pathlib.Path) -> bytes:
    """A product's JavaScript, which browsers can load."""
    text = path.read_text()
    if DEBIAN_IMPORT not in text:
        return text.encode()
    return text.replace(DEBIAN_IMPORT, NODE_ONLY).lstrip().encode()


def own_sources(folder: pathlib.Path) -> dict:
    """Hash of each of our files that gets into the products."""
    patterns = ("*.cpp", "*.h", "library.js", "build.sh", "kernels/*", "patches/*", "webgpu/*")
    paths = sorted(path for pattern in patterns for path in folder.glob(pattern))
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def described(content: bytes) -> dict:
    """What llamacpp.json says of a file."""
    return {
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def main(linked: str, emcc: str, source: str, sha256: str, out: str) -> None:
    """Writes all files of OUT."""
    folder, target = pathlib.Path(linked), pathlib.Path(out)
    target.mkdir(exist_ok=True)
    files = {}
    for product, factory in PRODUCTS.items():
        files[f"{product}.js"] = script(folder / f"{product}.js")
        files[f"{product}.wasm"] = (folder / f"{product}.wasm").read_bytes()
        (target / f"{product}.d.ts").write_text(TYPES.replace("FACTORY", factory))
    for name, content in files.items():
        (target / name).write_bytes(content)
    index = {
        "source": {"file": source, "sha256": sha256},
        "own": own_sources(pathlib.Path(__file__).parent),
        "emscripten": re.search(r"\d+\.\d+\.\d+", emcc).group(),
        "files": {name: described(content) for name, content in files.items()},
    }
    (target / "llamacpp.json").write_text(json.dumps(index, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
