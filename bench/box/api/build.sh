#!/bin/bash
# Builds what the API's part of the slow tier needs: a venv with schemathesis, apart from the project's own because it
# brings many packages that nothing else needs. Half a minute the first time, nothing when it stands already.
#
#   bench/box/api/build.sh [CACHE]       (build/box/api unless said)
set -euo pipefail

CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/api}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/api}" && pwd)
PYTHON=${VANDER_BOX_PYTHON:-python3}
SCHEMATHESIS=4.32.5

stamp() { { cat "$0"; echo "$CACHE"; "$PYTHON" -VV; } | sha256sum | cut -d' ' -f1; }

if [ "$(cat "$CACHE/whole" 2>/dev/null)" = "$(stamp)" ] && "$CACHE/venv/bin/schemathesis" --version >/dev/null 2>&1; then
    exit 0
fi
rm -rf "$CACHE/venv" "$CACHE/whole"
"$PYTHON" -m venv "$CACHE/venv"
"$CACHE/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$SCHEMATHESIS"
stamp >"$CACHE/whole"
