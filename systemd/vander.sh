#!/bin/sh
# `sudo vander ...` on the box: the command as the service runs it, with its settings, its folder and no more rights.
set -eu

[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
export VANDER_DATA_DIR=/var/lib/vander HOME=/var/lib/vander ORT_DISABLE_TELEMETRY=1
set -a
if [ -r /etc/vander/vander.env ]; then
    # shellcheck source=/dev/null
    . /etc/vander/vander.env
fi
exec runuser -u vander -- /opt/vander/now/venv/bin/vander "$@"
