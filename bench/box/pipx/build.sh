#!/bin/bash
# pipx, and the wheel of this checkout. Nothing but the wheel is made anew when they stand already.
#
#   bench/box/pipx/build.sh [CACHE]      (build/box/pipx unless said)
set -euo pipefail
CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/pipx}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/pipx}" && pwd)
PIP=("$CACHE/venv/bin/python" -m pip --quiet --disable-pip-version-check)

if ! "$CACHE/venv/bin/pipx" --version >/dev/null 2>&1; then
    rm -rf "$CACHE/venv"
    python3 -m venv "$CACHE/venv"
    "${PIP[@]}" install 'pipx>=1.7,<2'
fi
rm -rf "$CACHE/dist" "$CACHE/source"
mkdir "$CACHE/source"
git -C "$CHECKOUT" ls-files -z | tar -C "$CHECKOUT" --null --files-from=- --create | tar -C "$CACHE/source" --extract
"${PIP[@]}" wheel --no-deps --wheel-dir "$CACHE/dist" "$CACHE/source"
