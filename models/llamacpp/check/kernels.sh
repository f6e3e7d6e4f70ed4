#!/bin/bash
# check/kernels.sh: compiles check/kernels.cpp with what build.sh has compiled, and runs it with Node.
set -euo pipefail

check=$(cd "$(dirname "$0")" && pwd)
source "$check/../build.sh"

folder=$CACHE/kernels
includes=("$SOURCE"/{ggml/include,ggml/src,ggml/src/ggml-cpu})
mkdir -p "$folder"
rm -f "$folder"/*
cp "$check"/kernels.cpp "$here"/kernels/*.{h,cpp} "$folder"
cd "$folder"
# Without emscripten's own optimiser, which takes minutes.
"$trixie" em++ $common -std=c++17 "${includes[@]/#/-I}" -c *.cpp
"$trixie" em++ -O1 -fwasm-exceptions *.o "$CACHE"/llamacpp/ggml/src/{libggml.a,libggml-cpu.a,libggml-base.a} \
  -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sSTACK_SIZE=1MB -o kernels.cjs
npx node kernels.cjs
