#!/bin/bash
# look.sh PROGRAM: compiles look.cpp with native llama.cpp to PROGRAM. Needs Linux, cmake, a C++ compiler and python3.
set -euo pipefail
program=$(realpath -m "$1")
cd "$(dirname "$0")"
export CACHE=${CACHE:-$(realpath -m ../../.cache/llamacpp)}
mkdir -p "$CACHE" "$(dirname "$program")"
source ../llamacpp/source.sh
fetch_source
# As it is, without our patches: with them, mtmd calls images.cpp.
plain=$CACHE/plain
mkdir -p "$plain"
tar xzmf "$CACHE/$ARCHIVE" -C "$plain" "${SOURCE#"$CACHE/"}"
SOURCE=$plain/${SOURCE#"$CACHE/"}
build=$CACHE/native-mtmd
cmake -S "$SOURCE" -B "$build" "${OPTIONS[@]}" -DCMAKE_BUILD_TYPE=Release -DGGML_NATIVE=ON -DLLAMA_BUILD_MTMD=ON \
  -DMTMD_VIDEO=OFF > "$build.log"
cmake --build "$build" --target mtmd >> "$build.log"
c++ -O2 -std=c++17 -I"$SOURCE/include" -I"$SOURCE/ggml/include" -I"$SOURCE/tools/mtmd" look.cpp \
  "$build/tools/mtmd/libmtmd.a" "$build/src/libllama.a" "$build"/ggml/src/{libggml.a,libggml-cpu.a,libggml-base.a} \
  "$build/vendor/hash/libvendor-hash.a" -pthread -ldl -o "$program"
