#!/bin/bash
# trixie.sh COMMAND ARGS: runs a command with Debian trixie's emscripten (3.1.69), cmake and ninja in the current
# folder, which must be under $CACHE, an absolute path without links. On another Debian it runs in a trixie chroot,
# which it makes itself in .cache/trixie or in $TRIXIE. The chroot's mounts are in a namespace of their own, so they
# end with the command.
#
# Clang's code generator iterates over a map whose keys are pointers when it places what catches exceptions, so the
# object file of llama-context.cpp depends on addresses. They are not randomised (setarch -R), and all of malloc's
# memory is in the heap: where the kernel maps other memory depends on its version and on limits.
set -euo pipefail
heap_only=GLIBC_TUNABLES=glibc.malloc.mmap_max=0
: "${CACHE:?must name the folder for downloads and build products}"

packages=emscripten,cmake,ninja-build

if [ "${VERSION_CODENAME:-$(. /etc/os-release; echo "${VERSION_CODENAME:-}")}" = trixie ]; then
  exec env "$heap_only" setarch -R "$@"
fi

root=${TRIXIE:-$(cd "$(dirname "$0")/../.." && pwd)/.cache/trixie}
if [ "$(cat "$root/.complete" 2>/dev/null)" != "$packages" ]; then
  command -v debootstrap >/dev/null || { echo "Install debootstrap, or build on Debian trixie with $packages." >&2; exit 1; }
  rm -rf "$root"
  mkdir -p "$root"
  debootstrap --variant=minbase --include="$packages" trixie "$root" >&2
  echo "$packages" > "$root/.complete"
fi
# In the chroot, $CACHE is always /cache, so that the folder's name cannot get into what is built.
exec unshare --mount bash -euc '
  root=$1; cache=$2; folder=$3; heap_only=$4; shift 4
  mkdir -p "$root/cache"
  mount --bind "$cache" "$root/cache"
  mount -t proc proc "$root/proc"
  exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 "$heap_only" setarch -R sh -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"
' trixie "$root" "$CACHE" "${PWD/#"$CACHE"//cache}" "$heap_only" "${@//"$CACHE"//cache}"
