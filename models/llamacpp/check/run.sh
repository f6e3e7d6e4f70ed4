#!/bin/bash
# check/run.sh GGUF [TOLERANCE]: compares the log-probabilities of built/llamacpp.wasm with those of llama.cpp compiled as
# a native program from the same source, and prints the tokens/s of both. Fails if they differ by more than TOLERANCE,
# or 2e-3. Needs Linux, cmake, a C++ compiler, python3 and the Node version of the repository.
set -euo pipefail

check=$(cd "$(dirname "$0")" && pwd)
gguf=$(realpath "$1")
tolerance=${2:-2e-3}
export CACHE=${CACHE:-$check/../../../.cache/llamacpp}
mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd)
source "$check/../source.sh"

# native NAME OPTIONS: compiles the binding with llama.cpp to $CACHE/NAME/native. Only ggml depends on the options.
native() {
  local name=$1 targets=ggml; shift
  if [ "$name" = native-sse ]; then targets="ggml llama"; fi
  cmake -S "$SOURCE" -B "$CACHE/$name" "${OPTIONS[@]}" -DCMAKE_BUILD_TYPE=Release "$@" > "$CACHE/$name.log"
  cmake --build "$CACHE/$name" --target $targets >> "$CACHE/$name.log"
  c++ -O2 -std=c++17 -I"$SOURCE/include" -I"$SOURCE/ggml/include" -I"$SOURCE/src" -I"$SOURCE/tools/mtmd" \
    -I"$check/.." -I"$check/../kernels" "$check"/native.cpp "$check"/../{binding,contexts,failure}.cpp "$CACHE/native-sse/src/libllama.a" \
    "$CACHE/$name"/ggml/src/{libggml.a,libggml-cpu.a,libggml-base.a} -pthread -ldl -o "$CACHE/$name/native"
}

fetch_source
native native-sse -DGGML_SSE42=ON -DGGML_AVX=OFF -DGGML_AVX2=OFF -DGGML_BMI2=OFF -DGGML_FMA=OFF -DGGML_F16C=OFF
native native-avx -DGGML_NATIVE=ON
for name in native-sse native-avx; do
  echo "$name: prefill | decode tokens/s: $("$CACHE/$name/native" "$gguf" "$check/prompts.txt" "$CACHE/$name/logits" | sed 's/ / | /')"
  npx node "$check/compare.ts" "$gguf" "$check/prompts.txt" "$CACHE/$name/logits" "$tolerance"
done
