#!/bin/bash
# The image that `make image` builds, and crun, which runs it in the tests. Nothing is done when both stand already.
#
#   bench/box/image/build.sh [CACHE]     (build/box/image unless said)
set -euo pipefail
CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
CACHE=${1:-$CHECKOUT/build/box/image}
mkdir -p "$CACHE"

command -v crun >/dev/null || apt-get install -y -q --no-install-recommends crun

stamp() { { git -C "$CHECKOUT" ls-files -z | (cd "$CHECKOUT" && xargs -0 cat 2>/dev/null); } | sha256sum; }

if [ "$(cat "$CACHE/whole" 2>/dev/null)" = "$(stamp)" ]; then exit 0; fi
rm -f "$CACHE/whole"
bash "$CHECKOUT/image/build.sh" "$CACHE"
stamp >"$CACHE/whole"
