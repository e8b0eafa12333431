#!/bin/sh
# What the crash test needs: the disk that fails, a library of some kilobytes. Wants gcc.
#
#   build.sh CACHE
set -eu
cache=${1:?build.sh CACHE: name the folder to build into}
here=$(cd "$(dirname "$0")" && pwd)
stamp=$(cat "$here/build.sh" "$here/failing_disk.c" | sha256sum | cut -d' ' -f1)
[ "$(cat "$cache/stamp" 2>/dev/null || true)" = "$stamp" ] && [ -s "$cache/failing_disk.so" ] && exit 0
command -v gcc >/dev/null || { echo 'the crash test wants gcc: apt-get install gcc libc6-dev' >&2; exit 1; }
mkdir -p "$cache"
gcc -O1 -Wall -Wextra -Werror -Wno-nonnull-compare -fPIC -shared -o "$cache/failing_disk.so" "$here/failing_disk.c" -ldl
echo "$stamp" >"$cache/stamp"
