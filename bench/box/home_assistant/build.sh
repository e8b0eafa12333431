#!/bin/bash
# Builds what the part for Home Assistant needs: Home Assistant itself, the newest that the newest Python of this machine
# runs, in a venv apart from the project's own: half a gigabyte. Nothing is done when it stands already. Mosquitto is taken
# from the system. Python 3.11 runs none that finds a table.
#
#   bench/box/home_assistant/build.sh [CACHE]       (build/box/home_assistant unless said)
#   VANDER_BOX_PYTHON=python3.13                    with that Python
#   VANDER_BOX_HASS=/opt/hass/bin/hass              for the tests: that Home Assistant; nothing needs to be built
set -euo pipefail

CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/home_assistant}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/home_assistant}" && pwd)
if [ -n "${VANDER_BOX_HASS:-}" ]; then exit 0; fi
PYTHON=
for one in ${VANDER_BOX_PYTHON:-python3.14 python3.13 python3.12}; do
    if "$one" --version >/dev/null 2>&1; then PYTHON=$one && break; fi
done
[ -n "$PYTHON" ] || { echo 'Home Assistant wants Python 3.12 or newer: name one by VANDER_BOX_PYTHON' >&2; exit 1; }

stamp() { { cat "$0"; echo "$CACHE"; "$PYTHON" -VV; } | sha256sum | cut -d' ' -f1; }

if [ "$(cat "$CACHE/whole" 2>/dev/null)" = "$(stamp)" ] && "$CACHE/venv/bin/hass" --version >/dev/null 2>&1; then
    exit 0
fi
rm -rf "$CACHE/venv" "$CACHE/whole"
"$PYTHON" -m venv "$CACHE/venv"
# uv finds what goes together in seconds, where pip takes a quarter of an hour.
"$CACHE/venv/bin/pip" install --quiet --disable-pip-version-check 'uv>=0.9,<1'
"$CACHE/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$CACHE/venv/newest" homeassistant
release=$(basename "$CACHE"/venv/newest/homeassistant-*.whl | cut -d- -f2)
"$CACHE/venv/bin/uv" pip install --quiet --python "$CACHE/venv/bin/python" "homeassistant==$release" 'paho-mqtt>=2.1,<3'
rm -r "$CACHE/venv/newest"
stamp >"$CACHE/whole"
