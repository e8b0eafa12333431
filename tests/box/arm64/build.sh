#!/usr/bin/env bash
# The systems of a Raspberry Pi without the Pi: Debian for arm64, run by qemu's user mode, with this checkout installed.
#
#   tests/box/arm64/build.sh [CACHE]     each suite a folder in CACHE; nothing is done for one that is there and whole
#   SUITES=bookworm ...                  only that one; both, else: 12 with Python 3.11, 13 with Python 3.13
#
# Works as root or with sudo, and reads the Debian archive that this machine already uses. Some 700 MB a suite.
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CHECKOUT=$(cd "$HERE/../../.." && pwd)
CACHE=$(mkdir -p "${1:-$CHECKOUT/build/box/arm64}" && cd "${1:-$CHECKOUT/build/box/arm64}" && pwd)
CERTIFICATES=/etc/ssl/certs/ca-certificates.crt
PACKAGES=(referee vision models hardware web assistant)

as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi; }

# What a fresh Pi of that suite must pin: picamera2 of Debian 12 is built for NumPy 1.
pins() { [ "$1" != bookworm ] || echo 'numpy<2 opencv-python-headless<4.12'; }

# With a shell and its mounts of its own, so that nothing stays mounted whatever becomes of it.
inside() { # ROOT COMMAND...
    local root=$1
    shift
    as_root unshare --mount --fork nice -n 19 bash -c \
        'mount --rbind /proc "$0/proc"; mount -t tmpfs shm "$0/dev/shm"; exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 \
         PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin PIP_CERT=/opt/certificates.pem \
         PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore '"${PIP_INDEX_URL:+PIP_INDEX_URL=$PIP_INDEX_URL}"' "$@"' \
        "$root" "$@"
}

emulation() {
    local missing=()
    command -v qemu-aarch64-static >/dev/null || missing+=(qemu-user-static)
    command -v debootstrap >/dev/null || missing+=(debootstrap)
    command -v update-binfmts >/dev/null || missing+=(binfmt-support)
    [ ${#missing[@]} -eq 0 ] || as_root apt-get install --quiet --yes --no-install-recommends "${missing[@]}"
    mountpoint -q /proc/sys/fs/binfmt_misc || as_root mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    [ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || as_root update-binfmts --enable qemu-aarch64
}

system() { # SUITE ROOT
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)
    as_root rm -rf --one-file-system "$2"
    as_root nice -n 19 debootstrap --arch=arm64 --foreign --variant=minbase \
        --include=python3,python3-venv,ca-certificates "$1" "$2" "${mirror:-http://deb.debian.org/debian}"
    as_root cp "$(command -v qemu-aarch64-static)" "$2/usr/bin/"
    as_root nice -n 19 chroot "$2" /debootstrap/debootstrap --second-stage
    as_root rm -rf "$2/var/cache/apt" "$2/var/lib/apt/lists"
}

dependencies() { # SUITE ROOT
    as_root cp /etc/resolv.conf "$2/etc/resolv.conf"
    as_root cp "$CERTIFICATES" "$2/opt/certificates.pem"
    as_root mkdir -p "$2/opt/project"
    as_root cp "$CHECKOUT/pyproject.toml" "$CHECKOUT/README.md" "$CHECKOUT/LICENSE" "$2/opt/project"
    inside "$2" python3 -m venv /opt/vander
    # The project without its packages: pip takes what it depends on, and the checkout itself comes afterwards.
    # shellcheck disable=SC2046  # each pin is a word
    inside "$2" /opt/vander/bin/pip install --no-cache-dir --only-binary=:all: --no-binary=vander \
        $(pins "$1") /opt/project
}

project() { # ROOT
    as_root rm -rf "$1/opt/project"
    as_root mkdir "$1/opt/project"
    (cd "$CHECKOUT" && git ls-files -z "${PACKAGES[@]}" pyproject.toml README.md LICENSE | tar c --null -T - --ignore-failed-read) \
        | as_root tar x --no-same-owner -C "$1/opt/project"
    inside "$1" /opt/vander/bin/pip install --no-cache-dir --no-deps --force-reinstall /opt/project
}

stamped() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; } # FILE SUM
stamp() { echo "$2" | as_root tee "$1" >/dev/null; } # FILE SUM

sources() { (cd "$CHECKOUT" && git ls-files -z "${PACKAGES[@]}" | xargs -0 sha256sum 2>/dev/null | sha256sum); }

emulation
for suite in ${SUITES:-bookworm trixie}; do
    root=$CACHE/$suite
    of_system=$(cat "$HERE/build.sh" "$CHECKOUT/pyproject.toml" | sha256sum)
    of_sources=$(sources)
    if ! stamped "$root/opt/system.stamp" "$of_system"; then
        system "$suite" "$root"
        dependencies "$suite" "$root"
        stamp "$root/opt/system.stamp" "$of_system"
    fi
    if ! stamped "$root/opt/project.stamp" "$of_sources"; then
        project "$root"
        stamp "$root/opt/project.stamp" "$of_sources"
    fi
done
