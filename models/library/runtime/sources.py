"""``sources.py SITE_PACKAGES TIRX_WHEEL OUT``: lays out the C++ sources of the wasm runtime from wheels.

The apache-tvm wheel ships the runtime's sources (src, include, web/emcc), but not all the headers that they
include. Three headers are taken from the apache-tvm-tirx wheel, and four are stand-ins of our own
(``standins/``). RPC and sorting on the CPU need still more headers. They are removed, because a page uses neither.
"""

import pathlib
import re
import shutil
import sys
import zipfile

TIRX_HEADERS = ("io.h", "serializer.h", "bytes_io.h")


def copy_wheel_sources(site: pathlib.Path, out: pathlib.Path) -> None:
    """Copies the runtime's sources into the layout that its include paths expect."""
    for name in ("src", "include", "web/emcc"):
        shutil.copytree(site / "tvm" / name, out / name)
    for name in ("include", "src", "3rdparty"):
        shutil.copytree(site / "tvm_ffi" / name, out / "3rdparty/tvm-ffi" / name)


def add_missing_headers(wheel: pathlib.Path, out: pathlib.Path) -> None:
    """Adds the headers that the apache-tvm wheel leaves out."""
    target = out / "include/tvm/support"
    target.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in TIRX_HEADERS:
            (target / name).write_bytes(archive.read(f"tvm_tirx/include/tvm/support/{name}"))
    shutil.copytree(pathlib.Path(__file__).parent / "standins", out, dirs_exist_ok=True)


def edit(path: pathlib.Path, pattern: str, replacement: str) -> None:
    """Replaces a pattern. Fails if the sources, perhaps of a new version, do not contain it."""
    text, count = re.subn(pattern, replacement, path.read_text(), flags=re.DOTALL)
    if count == 0:
        raise SystemExit(f"{path}: nothing matches {pattern}")
    path.write_text(text)


def trim(out: pathlib.Path) -> None:
    """Removes RPC and sorting, and makes errors visible."""
    edit(out / "web/emcc/wasm_runtime.cc", r'#include "src/runtime/(?:rpc|extra/contrib/sort)/[^\n]*\n', "")
    support = out / "web/emcc/tvmjs_support.cc"
    edit(support, r'#include "../../src/runtime/rpc/rpc_local_session.h"\n', "")
    edit(support, r"namespace tvm \{\nnamespace runtime \{.*", "")  # the rest of the file serves RPC
    # Without this, an error in a kernel's arguments reaches the page only as "unreachable", with no message.
    error = out / "3rdparty/tvm-ffi/src/ffi/error.cc"
    edit(error, r"(void TVMFFIErrorSetRaisedFromCStrParts\([^)]*\)\s*\{)",
         r"\1\n  for (int32_t part = 0; part < num_parts; ++part) if (message_parts[part]) std::cerr << message_parts[part];"
         r"\n  std::cerr << std::endl;")
    error.write_text("#include <iostream>\n" + error.read_text())


def main(site: str, wheel: str, target: str) -> None:
    """Deletes the source tree and writes it again."""
    out = pathlib.Path(target)
    shutil.rmtree(out, ignore_errors=True)
    copy_wheel_sources(pathlib.Path(site), out)
    add_missing_headers(pathlib.Path(wheel), out)
    trim(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
