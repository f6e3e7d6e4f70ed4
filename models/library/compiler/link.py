"""Links a compiled model with the runtime's objects into one standalone .wasm."""

import os
import pathlib
import shutil
import subprocess

from tvm import relax

RUNTIME_OBJECTS = ("wasm_runtime.o", "tvmjs_support.o", "webgpu_runtime.o")
FLAGS = [
    "-Oz", "-std=c++17", "--no-entry",
    "-sWASM_BIGINT=1", "-sSTANDALONE_WASM=1", "-sERROR_ON_UNDEFINED_SYMBOLS=0",  # web-llm provides the missing ones
    "-sALLOW_MEMORY_GROWTH=1",
]


def link(executable: "relax.VMExecutable", runtime: pathlib.Path, memory_mb: int, wasm: pathlib.Path) -> None:
    """Writes ``wasm``. ``runtime`` is the folder of the runtime's objects. Both must be under $CACHE (see emcc.sh)."""
    emcc = pathlib.Path(__file__).parent.parent / "emcc.sh"
    folder = wasm.parent

    def compile_with_emcc(_output: str, objects: list[str], **_options) -> None:
        local = []
        for path in objects:
            shutil.copy(path, folder / os.path.basename(path))
            local.append(os.path.basename(path))
        inputs = [os.path.relpath(runtime / name, folder) for name in RUNTIME_OBJECTS] + sorted(local)
        subprocess.run([emcc, *FLAGS, f"-sINITIAL_MEMORY={memory_mb}MB", "-o", wasm.name, *inputs],
                       cwd=folder, check=True)

    compile_with_emcc.object_format = "o"  # for bitcode, emcc would need the same LLVM version as TVM
    folder.mkdir(parents=True, exist_ok=True)
    executable.export_library(str(wasm), fcompile=compile_with_emcc)
