#!/bin/sh
# Show the page full screen in the single window of cage. Raspberry Pi OS 12 names the browser chromium-browser.
set -eu

browser=$(command -v chromium || command -v chromium-browser) || {
    echo 'There is no Chromium: sudo apt install chromium' >&2
    exit 1
}
# No other host is found: a browser would else tell its maker of itself, ask for updates, and look up what is typed.
exec cage -d -- "$browser" --kiosk --ozone-platform=wayland --no-first-run --noerrdialogs --disable-infobars \
    --disable-session-crashed-bubble --disable-component-update --disable-sync --password-store=basic \
    --check-for-update-interval=31536000 --overscroll-history-navigation=0 \
    --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE localhost' --disable-background-networking \
    --user-data-dir="${STATE_DIRECTORY:-/var/lib/vander-kiosk}/chromium" \
    "http://localhost:${VANDER_PORT:-8080}/"
