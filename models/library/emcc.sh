#!/bin/bash
# emcc.sh ARGS: runs Debian trixie's emscripten (3.1.69) in the current folder, which must be under $CACHE.
exec "$(dirname "$0")/../toolchain/trixie.sh" emcc "$@"
