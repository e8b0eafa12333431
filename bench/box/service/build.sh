#!/usr/bin/env bash
# Makes a small Debian in CACHE/tree that boots with a systemd of its own, and CACHE/wheels, from which pip installs
# without a network. `build.sh CACHE`; root is needed. Nothing is done when both are there and made by this script.
set -euo pipefail

cache=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
house=$(cd "$here/../../.." && pwd)
suite=bookworm
python=3.11 # that of the suite
tools=(debootstrap systemd-container shellcheck cage xwayland chromium)

# What the box's Python installs by the lock file; pip itself would go by the Python that runs it.
mapfile -t needs < <("$house/.venv/bin/python" -c "
from packaging.requirements import Requirement
with open('$house/systemd/requirements.lock') as file:
    locked = [Requirement(line.rstrip(' \\\\\n')) for line in file if line[:1].isalpha()]
box = {'python_version': '$python', 'python_full_version': '$python.0', 'sys_platform': 'linux'}
print('\n'.join(f'{one.name}{one.specifier}' for one in locked if one.marker is None or one.marker.evaluate(box)))")

# Whether a thing is there and made as it would be now; `stamp NAME WHAT` says so.
whole() { [ "$(cat "$cache/$1.stamp" 2>/dev/null)" = "$(sha256sum <<<"$2")" ]; }
stamp() { sha256sum <<<"$2" >"$cache/$1.stamp"; }
tree_as=$(cat "$0")
wheels_as="$tree_as ${needs[*]}"
if whole tree "$tree_as" && whole wheels "$wheels_as"; then exit 0; fi

missing=()
for tool in "${tools[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$tool" 2>/dev/null | grep -qx installed || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then apt-get install -y -q --no-install-recommends "${missing[@]}"; fi

make_tree() {
    local archive
    archive=$(sed -n 's/^URIs: *\(.*debian\.org\/debian\)\/\?$/\1/p; s/^deb  *\([^ ]*debian\.org\/debian\)\/\? .*/\1/p' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 || true)
    umount -q "$cache/tree/proc" 2>/dev/null || true
    rm -rf --one-file-system "$cache/tree" "$cache/tree.stamp"
    nice -n 19 debootstrap --variant=minbase \
        --include=systemd,systemd-sysv,dbus,libpam-systemd,python3,ca-certificates,iproute2,procps,hostname,sudo \
        $suite "$cache/tree" "${archive:-http://deb.debian.org/debian}"
    cp /etc/resolv.conf "$cache/tree/etc/resolv.conf"
    # What Raspberry Pi OS has already; one package of install.sh's is left to it.
    nice -n 19 chroot "$cache/tree" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends python3-venv avahi-daemon polkitd
}

make_wheels() {
    rm -rf "$cache/wheels" "$cache/wheels.stamp"
    fetch "${needs[@]}"
}

fetch() {
    nice -n 19 "$house/.venv/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps --dest "$cache/wheels" \
        --only-binary=:all: --python-version $python --implementation cp --platform "manylinux_2_28_$(uname -m)" \
        --platform "manylinux_2_17_$(uname -m)" --platform "manylinux2014_$(uname -m)" "$@"
}

if ! whole tree "$tree_as"; then
    make_tree
    stamp tree "$tree_as"
fi
if ! whole wheels "$wheels_as"; then
    make_wheels
    stamp wheels "$wheels_as"
fi
