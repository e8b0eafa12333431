#!/bin/sh
# `sudo vander ...` on the box: the command as the service's user, with its settings and its data folder.
set -eu

[ "$(id -u)" = 0 ] || exec sudo "$0" "$@"
# Python takes no code from the data folder, from the working directory or from PYTHONPATH: another home, and -I below.
export VANDER_DATA_DIR=/var/lib/vander HOME=/run/vander PYTHONNOUSERSITE=1

# The settings are parsed as systemd does, a name and a value a line, and never executed.
if [ -r /etc/vander/vander.env ]; then
    while IFS='=' read -r name value || [ -n "$name" ]; do
        case $name in
            VANDER_[A-Z]*)
                case $value in
                    \"*\" | \'*\') value=${value#?} && value=${value%?} ;;
                esac
                export "$name=$value"
                ;;
        esac
    done </etc/vander/vander.env
fi
exec runuser -u vander -- "${RELEASE:-/opt/vander/now}/venv/bin/python" -I -m vander "$@"
