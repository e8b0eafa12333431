#!/bin/bash
# Builds what the audit of the slow tier needs: a venv with pip-audit, apart from the project's own. Half a minute the
# first time, nothing when it stands already.
#
#   bench/box/audit/build.sh [CACHE]     (build/box/audit unless said)
set -euo pipefail

CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/audit}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/audit}" && pwd)

if "$CACHE/venv/bin/pip-audit" --version >/dev/null 2>&1; then exit 0; fi
rm -rf "$CACHE/venv"
python3 -m venv "$CACHE/venv"
"$CACHE/venv/bin/pip" install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3'
