# source.sh: llama.cpp's source and cmake options, for build.sh and check/run.sh. $CACHE must name a folder.

# PyPI's package has llama.cpp's source in vendor/.
VERSION=0.3.36
SHA256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
ARCHIVE=llama_cpp_python-$VERSION.tar.gz
PATCHES=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/patches
SOURCE=$CACHE/llama_cpp_python-$VERSION/vendor/llama.cpp

# Only the library and its CPU backend, without what git would say about the folder that it is built in.
OPTIONS=(
  -DBUILD_SHARED_LIBS=OFF -DLLAMA_BUILD_COMMON=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_TOOLS=OFF
  -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_SERVER=OFF -DLLAMA_BUILD_APP=OFF -DGGML_OPENMP=OFF -DGGML_NATIVE=OFF
  -DGGML_CCACHE=OFF -DGIT_EXE=/bin/false -DGIT_EXECUTABLE=/bin/false
)

fetch_source() {
  if [ ! -e "$CACHE/$ARCHIVE" ]; then
    python3 -m pip download --quiet --no-deps --no-binary llama_cpp_python -d "$CACHE" "llama_cpp_python==$VERSION"
  fi
  echo "$SHA256  $CACHE/$ARCHIVE" | sha256sum --check --quiet
  local key
  key=$(cat "$PATCHES"/*.patch | sha256sum)
  if [ "$(cat "$SOURCE/.patched" 2>/dev/null)" = "$key" ]; then return; fi
  rm -rf "$SOURCE"
  tar xzmf "$CACHE/$ARCHIVE" -C "$CACHE" "${SOURCE#"$CACHE/"}"
  cat "$PATCHES"/*.patch | patch --quiet -d "$SOURCE" -p1
  echo "$key" > "$SOURCE/.patched"
}
