#!/bin/bash
# trixie.sh COMMAND ARGS: runs a command with Debian trixie's emscripten (3.1.69), cmake and ninja in the current
# folder, which must be under $CACHE, an absolute path without links. On another Debian it runs in a trixie chroot,
# which it makes itself in .cache/trixie or in $TRIXIE. The chroot's mounts are in a namespace of their own, so they
# end with the command.
#
# Addresses are not randomised (setarch -R): clang iterates over sets of pointers, so with random ones it makes one
# of two object files of llama-context.cpp, by chance.
set -euo pipefail
: "${CACHE:?must name the folder for downloads and build products}"

packages=emscripten,cmake,ninja-build

if [ "${VERSION_CODENAME:-$(. /etc/os-release; echo "${VERSION_CODENAME:-}")}" = trixie ]; then
  exec setarch -R "$@"
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
  root=$1; cache=$2; folder=$3; shift 3
  mkdir -p "$root/cache"
  mount --bind "$cache" "$root/cache"
  mount -t proc proc "$root/proc"
  exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 setarch -R sh -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"
' trixie "$root" "$CACHE" "${PWD/#"$CACHE"//cache}" "${@//"$CACHE"//cache}"
