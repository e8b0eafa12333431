#!/bin/bash
# Builds what the exchange with other programs needs: a venv with pycocotools and pandas, apart from the project's own.
# A minute the first time, nothing when it stands already.
#
#   bench/box/exchange/build.sh [CACHE]     (build/box/exchange unless said)
set -euo pipefail

CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/exchange}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/exchange}" && pwd)

if "$CACHE/venv/bin/python" -c 'import pandas, pycocotools' >/dev/null 2>&1; then exit 0; fi
rm -rf "$CACHE/venv"
python3 -m venv "$CACHE/venv"
"$CACHE/venv/bin/pip" install --quiet --disable-pip-version-check 'pycocotools>=2.0.8,<3' 'pandas>=2.2,<4'
