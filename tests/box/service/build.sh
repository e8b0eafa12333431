#!/usr/bin/env bash
# Makes a small Debian in CACHE/tree that boots with a systemd of its own, and CACHE/wheels, from which pip installs
# without a network. `build.sh CACHE`; root is needed. Nothing is done when both are there and made by this script.
set -euo pipefail

cache=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
house=$(cd "$here/../../.." && pwd)
suite=bookworm
python=3.11 # that of the suite
tools=(debootstrap systemd-container shellcheck)
stamp=$(cat "$0" "$house/pyproject.toml" | sha256sum | cut -d ' ' -f 1)

if [ "$(cat "$cache/stamp" 2>/dev/null)" = "$stamp" ]; then exit 0; fi
rm -f "$cache/stamp"

missing=()
for tool in "${tools[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$tool" 2>/dev/null | grep -qx installed || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then apt-get install -y -q --no-install-recommends "${missing[@]}"; fi

archive=$(sed -n 's/^URIs: *\(.*debian\.org\/debian\)\/\?$/\1/p; s/^deb  *\([^ ]*debian\.org\/debian\)\/\? .*/\1/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1 || true)
umount -q "$cache/tree/proc" 2>/dev/null || true
rm -rf --one-file-system "$cache/tree" "$cache/wheels"
nice -n 19 debootstrap --variant=minbase \
    --include=systemd,systemd-sysv,dbus,libpam-systemd,python3,ca-certificates,iproute2,procps,hostname,sudo \
    $suite "$cache/tree" "${archive:-http://deb.debian.org/debian}"
cp /etc/resolv.conf "$cache/tree/etc/resolv.conf"

wheels() {
    nice -n 19 "$house/.venv/bin/python" -m pip download --quiet --disable-pip-version-check --dest "$cache/wheels" \
        --only-binary=:all: --python-version $python --implementation cp --platform "manylinux_2_28_$(uname -m)" \
        --platform "manylinux_2_17_$(uname -m)" --platform "manylinux2014_$(uname -m)" "$@"
}

mapfile -t needs < <("$house/.venv/bin/python" -c "
import tomllib
with open('$house/pyproject.toml', 'rb') as file:
    project = tomllib.load(file)
print('\n'.join(project['project']['dependencies'] + project['build-system']['requires'] + ['wheel']))")
wheels "${needs[@]}"
wheels 'numpy<2' 'opencv-python-headless<4.12' "${needs[@]}" # as install.sh pins them where picamera2 is

echo "$stamp" >"$cache/stamp"
