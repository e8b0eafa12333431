#!/bin/sh
# What the fuzzing needs: atheris, into a folder of its own beside nothing else. Wants the project's virtual environment.
#
#   build.sh CACHE        PYTHON names the interpreter; by default that of .venv
set -eu
cache=${1:?build.sh CACHE: name the folder to build into}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-$here/../../../.venv/bin/python}
stamp=$({ cat "$here/build.sh"; "$python" -V; } | sha256sum | cut -d' ' -f1)
[ "$(cat "$cache/stamp" 2>/dev/null || true)" = "$stamp" ] && [ -d "$cache/atheris/atheris" ] && exit 0
rm -rf "$cache/atheris"
mkdir -p "$cache"
"$python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --target "$cache/atheris" 'atheris>=3,<4'
echo "$stamp" >"$cache/stamp"
