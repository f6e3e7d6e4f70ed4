#!/bin/bash
# build.sh: rebuilds everything in built/ from llama.cpp's source, which PyPI has in llama_cpp_python, with Debian
# trixie's emscripten. Downloads and intermediate files go to .cache/llamacpp in the repository, or to $CACHE.
# Needs Linux, python3 and Debian trixie's emscripten, cmake and ninja-build. On another Debian it needs root and
# debootstrap instead of these.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export CACHE=${CACHE:-$here/../../.cache/llamacpp}
mkdir -p "$CACHE"
CACHE=$(cd "$CACHE" && pwd)
trixie=$here/../toolchain/trixie.sh
source "$here/source.sh"

# In all products. Paths must not get into them, so that they are the same everywhere.
common="-O3 -DNDEBUG -msimd128 -fwasm-exceptions -ffile-prefix-map=$CACHE=."

# ggml has kernels only for a processor of this name. "Llamafile" makes it call kernels/matmul.cpp.
wasm_options=(
  -DEMSCRIPTEN_SYSTEM_PROCESSOR=wasm32 -DLLAMA_WASM_MEM64=OFF -DGGML_CPU_REPACK=OFF -DGGML_LLAMAFILE=ON
)

# Without the last option, binaryen puts what has one caller into it, however large: all of ggml's operators became one
# function of 330 kB, for which V8's optimising compiler needs much time and memory.
link_options=(
  -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=worker,node -sDYNAMIC_EXECUTION=0
  -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=4GB -sMEMORY_GROWTH_GEOMETRIC_STEP=0 -sSTACK_SIZE=1MB
  -sFORCE_FILESYSTEM --js-library library.js '-sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=$addFileInMemory'
  -sEXPORTED_RUNTIME_METHODS=FS,addFileInMemory,HEAPU8,HEAP32,HEAPF32
  -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=400
)

# exported_functions HEADERS: the functions that they declare, as emscripten names them.
exported_functions() {
  cat "$@" | grep -oE '\blc_\w+\(' | tr -d '(' | sort -u | sed 's/^/_/' | paste -sd, | sed 's/^/_malloc,_free,/'
}

# compile PRODUCT FLAGS: compiles llama.cpp to $CACHE/PRODUCT.
compile() {
  local product=$1 flags="$common $2"
  cd "$CACHE"
  "$trixie" emcmake cmake -G Ninja -S "$SOURCE" -B "$CACHE/$product" "${OPTIONS[@]}" "${wasm_options[@]}" \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" > "$CACHE/$product.log"
  "$trixie" ninja -C "$CACHE/$product" llama ggml >> "$CACHE/$product.log"
}

# What reads images, without the audio and the files that mtmd's own programs read. left-out.cpp has the rest.
image_sources() {
  local left_out='conformer|dots3note|gemma4a|gemma4ua|granite-speech|mimo-audio|parakeet|pockettts-.*|qwen3a|qwen3tts-.*|whisper-enc'
  cd "$SOURCE/tools/mtmd"
  ls clip.cpp mtmd.cpp mtmd-image.cpp models/*.cpp | grep -vE "^models/($left_out)\.cpp$"
}

# compile_images PRODUCT FLAGS: compiles llama.cpp's mtmd to objects in $CACHE/PRODUCT/images.
compile_images() {
  local product=$1 flags="$common $2" folder=$CACHE/$1/images
  local includes=("$SOURCE"/{include,ggml/include,src,vendor,tools/mtmd})
  mkdir -p "$folder"
  cd "$CACHE"
  image_sources | while read -r source; do
    local object=$folder/${source//\//-}.o
    if [ "$object" -nt "$SOURCE/tools/mtmd/$source" ]; then continue; fi
    "$trixie" em++ $flags -std=c++17 "${includes[@]/#/-I}" -c "$SOURCE/tools/mtmd/$source" -o "$object" < /dev/null
  done
}

# link PRODUCT FLAGS: links the binding, our kernels and llama.cpp to $CACHE/linked/PRODUCT.js and PRODUCT.wasm.
link() {
  local product=$1 flags="$common $2" folder=$CACHE/$1/binding
  local includes=("$SOURCE"/{include,src,ggml/include,ggml/src,ggml/src/ggml-cpu,tools/mtmd,tools/mtmd/models})
  rm -rf "$folder"
  mkdir -p "$CACHE/linked" "$folder"
  cp "$here"/*.{h,cpp} "$here"/kernels/*.{h,cpp} "$here/library.js" "$folder"
  cd "$folder"
  "$trixie" em++ $flags -std=c++17 "${includes[@]/#/-I}" *.cpp "$CACHE/$product"/images/*.o \
    "$CACHE/$product"/{src/libllama.a,ggml/src/libggml.a,ggml/src/libggml-cpu.a,ggml/src/libggml-base.a} \
    "${link_options[@]}" -sEXPORTED_FUNCTIONS="$(exported_functions "$here/binding.h")" -o "$CACHE/linked/$product.js"
}

# compile_webgpu: compiles ggml's backend for WebGPU, with webgpu/webgpu_cpp.h in place of Dawn's, to $CACHE/llamacpp-gpu.
compile_webgpu() {
  local folder=$CACHE/llamacpp-gpu/backend
  local includes=("$folder" "$SOURCE"/{ggml/include,ggml/src})
  rm -rf "$folder"
  mkdir -p "$folder/webgpu"
  cp "$here"/webgpu/*.h "$folder/webgpu"
  python3 "$here/webgpu/embed_shaders.py" "$SOURCE/ggml/src/ggml-webgpu/wgsl-shaders" "$folder/ggml-wgsl-shaders.hpp"
  cd "$folder"
  "$trixie" em++ $common -std=c++20 "${includes[@]/#/-I}" -c "$SOURCE/ggml/src/ggml-webgpu/ggml-webgpu.cpp" -o backend.o
}

# link_webgpu: links what the product without threads is made of, and the backend, to $CACHE/linked/llamacpp-gpu.js.
link_webgpu() {
  local parts=$CACHE/llamacpp folder=$CACHE/llamacpp-gpu/binding
  local includes=("$SOURCE"/{include,src,ggml/include,ggml/src,ggml/src/ggml-cpu,tools/mtmd,tools/mtmd/models})
  rm -rf "$folder"
  mkdir -p "$CACHE/linked" "$folder/webgpu"
  cp "$here"/*.{h,cpp} "$here"/kernels/*.{h,cpp} "$here/library.js" "$folder"
  cp "$here"/webgpu/{*.h,*.cpp,library.js} "$folder/webgpu"
  cd "$folder"
  "$trixie" em++ $common -DLC_WEBGPU -std=c++17 "${includes[@]/#/-I}" *.cpp webgpu/*.cpp ../backend/backend.o "$parts"/images/*.o \
    "$parts"/{src/libllama.a,ggml/src/libggml.a,ggml/src/libggml-cpu.a,ggml/src/libggml-base.a} \
    "${link_options[@]}" --js-library webgpu/library.js \
    '-sDEFAULT_LIBRARY_FUNCS_TO_INCLUDE=$addFileInMemory,$addFileToRead,$finishGpuWork' \
    -sEXPORTED_RUNTIME_METHODS=FS,addFileInMemory,addFileToRead,finishGpuWork,HEAPU8,HEAP32,HEAPF32 \
    -sEXPORTED_FUNCTIONS="$(exported_functions "$here"/{binding.h,webgpu/gpu.h})" -o "$CACHE/linked/llamacpp-gpu.js"
}

single_threaded() {
  compile llamacpp ""
  compile_images llamacpp ""
  link llamacpp ""
  compile_webgpu
  link_webgpu
}

threaded() {
  compile llamacpp-threads "-pthread"
  compile_images llamacpp-threads "-pthread"
  link llamacpp-threads "-pthread -sPTHREAD_POOL_SIZE=Module.threads-1 -sDEFAULT_PTHREAD_STACK_SIZE=512KB"
}

publish() {
  cd "$CACHE"
  python3 "$here/publish.py" "$CACHE/linked" "$("$trixie" emcc --version | head -1)" "$ARCHIVE" "$SHA256" "$here/built"
}

main() {
  fetch_source
  # If there is no chroot yet, it is made here: the two builds would both begin to make it.
  (cd "$CACHE" && "$trixie" true)
  single_threaded & local first=$!
  threaded & local second=$!
  wait $first
  wait $second
  publish
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then main; fi
