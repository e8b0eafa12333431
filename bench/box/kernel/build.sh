#!/usr/bin/env bash
# A Linux kernel with a simulated gpiochip that runs as an ordinary program: user-mode Linux from Debian's own source.
#
#   bench/box/kernel/build.sh [CACHE]     CACHE/linux (4 MB) and CACHE/site (lgpio); nothing is done when they are whole
#
# Works as root or with sudo, reads the Debian archive that this machine already uses, and takes some minutes.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../../.." && pwd)
CACHE=$(mkdir -p "${1:-$CHECKOUT/build/box/kernel}" && cd "${1:-$CHECKOUT/build/box/kernel}" && pwd)
PYTHON=${PYTHON:-$([ -x "$CHECKOUT/.venv/bin/python" ] && echo "$CHECKOUT/.venv/bin/python" || echo python3)}
NEEDED=(linux-source gcc libc6-dev make flex bison bc xz-utils)

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

sum=$(cat "$HERE/build.sh" "$HERE/kernel.config" | sha256sum)
if [ "$(cat "$CACHE/stamp" 2>/dev/null)" = "$sum" ] && [ -x "$CACHE/linux" ] && [ -d "$CACHE/site" ]; then exit 0; fi
rm -rf "$CACHE/stamp" "$CACHE/linux" "$CACHE/site"

# pip has a wheel of lgpio for Python 3.11; with another Python the package python3-lgpio is what a machine must have.
nice -n 19 "$PYTHON" -m pip install --quiet --disable-pip-version-check --only-binary=:all: --no-deps \
    --target "$CACHE/site" 'lgpio>=0.2'

dpkg --status "${NEEDED[@]}" >/dev/null 2>&1 ||
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "${NEEDED[@]}"
work=$(mktemp -d "$CACHE/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
source=$(find /usr/src -maxdepth 1 -name 'linux-source-[0-9]*.tar.xz' | sort -V | tail -n 1)
tar xf "$source" --strip-components=1 -C "$work"
cd "$work"
# This kernel keeps 2696 bytes of the processor's registers; with AMX there are 11008, and it cannot start a program.
sed -i 's/HOST_FP_SIZE, 2696)/HOST_FP_SIZE, 12288)/' arch/x86/um/user-offsets.c
grep -q 'HOST_FP_SIZE, 12288)' arch/x86/um/user-offsets.c || { echo 'the kernel keeps registers in another way now' >&2; exit 1; }
make --silent ARCH=um KCONFIG_ALLCONFIG="$HERE/kernel.config" allnoconfig
for wanted in 64BIT GPIO_SIM GPIO_CDEV HOSTFS UML_PCI_OVER_VIRTIO DEVTMPFS_MOUNT TMPFS UNIX; do
    grep -q "^CONFIG_$wanted=y" .config || { echo "the kernel's configuration refused $wanted" >&2; exit 1; }
done
nice -n 19 make --silent ARCH=um -j"$(nproc)" linux
strip -o "$CACHE/linux" linux
echo "$sum" >"$CACHE/stamp"
