#!/usr/bin/env bash
# The systems of a Raspberry Pi without the Pi: Debian for arm64, run by qemu's user mode, with this checkout installed.
#
#   bench/box/arm64/build.sh [CACHE]     each suite a folder in CACHE; nothing is done for one that is there and whole
#   VANDER_BOX_SUITES="bookworm trixie"  both: Debian 12 with Python 3.11, and 13 with Python 3.13; else the first alone
#
# Works as root or with sudo, and reads the Debian archive that this machine already uses. Some 600 MB a suite.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../../.." && pwd)
CACHE=$(mkdir -p "${1:-$CHECKOUT/build/box/arm64}" && cd "${1:-$CHECKOUT/build/box/arm64}" && pwd)
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
PACKAGES=(referee vision models hardware web assistant)

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# What a Pi of that suite must pin: picamera2 of Debian 12 is built for NumPy 1.
pins() { [ "$1" != bookworm ] || echo 'numpy<2 opencv-python-headless<4.12'; } # SUITE

# The shell has mounts of its own, so that nothing stays mounted whatever becomes of it.
inside() { # ROOT COMMAND...
    local root=$1
    shift
    # shellcheck disable=SC2016  # the inner shell's own
    as_root unshare --mount nice -n 19 bash -c \
        'mount --rbind /proc "$0/proc" && mount -t tmpfs shm "$0/dev/shm" && exec chroot "$0" /usr/bin/env -i "$@"' \
        "$root" HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin PIP_CERT=/opt/certificates.pem \
        PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} "$@"
}

emulation() {
    local missing=()
    command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    command -v mmdebstrap >/dev/null || missing+=(mmdebstrap)
    command -v arch-test >/dev/null || missing+=(arch-test)
    command -v update-binfmts >/dev/null || missing+=(binfmt-support)
    [ ${#missing[@]} -eq 0 ] || as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
    mountpoint -q /proc/sys/fs/binfmt_misc || as_root mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || as_root update-binfmts --enable qemu-aarch64
}

debian() { # SUITE ROOT
    local mirror
    # shellcheck disable=SC2016  # apt's own words
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)
    as_root rm -rf --one-file-system "$2"
    as_root nice -n 19 mmdebstrap --quiet --architectures=arm64 --variant=minbase \
        --include=python3,python3-venv,ca-certificates --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$1" "$2" "${mirror:-http://deb.debian.org/debian}"
}

dependencies() { # SUITE ROOT
    as_root cp /etc/resolv.conf "$2/etc/resolv.conf"
    as_root cp "$CERTIFICATES" "$2/opt/certificates.pem"
    as_root rm -rf "$2/opt/vander"
    inside "$2" python3 -m venv /opt/vander
    mapfile -t needed < <(requirements)
    # shellcheck disable=SC2046  # each pin is a word
    inside "$2" /opt/vander/bin/pip install --no-cache-dir --only-binary=:all: 'setuptools>=77' "${needed[@]}" $(pins "$1")
}

project() { # SUITE ROOT
    as_root rm -rf "$2/opt/project"
    as_root mkdir "$2/opt/project"
    tar c --exclude=__pycache__ -C "$CHECKOUT" "${PACKAGES[@]}" pyproject.toml README.md LICENSE |
        as_root tar x --no-same-owner -C "$2/opt/project"
    inside "$2" /opt/vander/bin/pip install --no-cache-dir --no-deps --no-build-isolation --force-reinstall /opt/project
}

requirements() { sed -n '/^dependencies = \[/,/^]/ s/^ *"\(.*\)",*.*$/\1/p' "$CHECKOUT/pyproject.toml"; }

sources() {
    (cd "$CHECKOUT" && find "${PACKAGES[@]}" pyproject.toml -type f ! -path '*/__pycache__/*' -print0 | sort -z |
        xargs -0 sha256sum)
}

# A step is done again when its own text or what it is given has changed, or a step before it was done.
step() { # NAME SUITE GIVEN
    local root=$CACHE/$2 sum
    sum=$({ declare -f "$1"; echo "$3"; } | sha256sum)
    [ "$again" = no ] && [ "$(cat "$root/opt/$1.stamp" 2>/dev/null)" = "$sum" ] && return
    again=yes
    as_root rm -f "$root/opt/$1.stamp"
    "$1" "$2" "$root"
    echo "$sum" | as_root tee "$root/opt/$1.stamp" >/dev/null
}

emulation
of_sources=$(sources)
for suite in ${VANDER_BOX_SUITES:-bookworm}; do
    again=no
    step debian "$suite" ''
    step dependencies "$suite" "$(requirements; pins "$suite")"
    step project "$suite" "$of_sources"
done
