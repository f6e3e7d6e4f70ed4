#!/bin/bash
# emcc.sh ARGS: runs Debian trixie's emscripten (3.1.69) in the current folder, which must be under $CACHE.
# On another Debian it runs in a trixie chroot in $CACHE. The chroot's mounts are in a namespace of their own, so
# they end with the command.
set -euo pipefail
: "${CACHE:?must name the folder for downloads and build products}"

if [ "${VERSION_CODENAME:-$(. /etc/os-release; echo "${VERSION_CODENAME:-}")}" = trixie ]; then
  exec emcc "$@"
fi

root=$CACHE/trixie
if [ ! -e "$root/.complete" ]; then
  command -v debootstrap >/dev/null || { echo "Install debootstrap, or build on Debian trixie with its emscripten." >&2; exit 1; }
  rm -rf "$root"
  debootstrap --variant=minbase --include=emscripten trixie "$root" >&2
  touch "$root/.complete"
fi
exec unshare --mount bash -euc '
  root=$1; cache=$2; folder=$3; shift 3
  mkdir -p "$root$cache"
  mount --bind "$cache" "$root$cache"
  mount -t proc proc "$root/proc"
  exec chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root LC_ALL=C.UTF-8 sh -c "cd \"\$0\" && exec emcc \"\$@\"" "$folder" "$@"
' emcc "$root" "$CACHE" "$PWD" "$@"
