#!/usr/bin/env bash
# Installs Vander on a Raspberry Pi, or on any 64-bit Debian 12 or 13: `sudo ./systemd/install.sh`. Run again, it upgrades:
# games and taught dice are kept, and backed up first. `--remove` uninstalls it. `--help` lists the options.
#
# What it makes:   /opt/vander/VERSION-DATE/   the program and its Python; `now` leads to the one in use
#                  /etc/vander/vander.env      the settings, which it never overwrites
#                  /var/lib/vander/            games, taught dice, paired tablets: the user vander's
#                  /var/backups/vander/        a backup from before each upgrade, the last three
#                  one file each for systemd, avahi and polkit, and the command `vander`
set -euo pipefail
umask 022 # the user vander reads what root installs

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
HOME_OF_ALL=/opt/vander
NOW=$HOME_OF_ALL/now
MADE=$HOME_OF_ALL/made # what `--remove` must undo: `package NAME`, `group NAME`, `hostname FORMER`
SETTINGS=/etc/vander/vander.env
DATA=/var/lib/vander
BACKUPS=/var/backups/vander
UNITS=/etc/systemd/system
ROOM_MB=2000
PARTS=(docs hardware models referee systemd vander vision web CHANGELOG.md LICENSE README.md pyproject.toml)
NOT_EVERYWHERE=(python3-picamera2 python3-lgpio chromium chromium-browser)
GROUPS_NEEDED=(video gpio render audio systemd-journal)

# ── options ──────────────────────────────────────────────────────────────────────────────────────────────────────────

usage() {
    cat <<'HELP'
sudo ./systemd/install.sh [OPTIONS]

  --camera NAME        picamera:0, usb:0 or virtual; kept in /etc/vander/vander.env
  --hostname NAME      what the box is called: tablets find it at http://NAME.local:8080
  --kiosk, --no-kiosk  show the page on a screen of the box's own, where no desktop runs; or no more
  --without-picamera   do without the Pi's own camera, where its software cannot be had
  --remove             take away all that was made; games and taught dice stay
  --with-data          with --remove: games, taught dice and backups go as well
  --yes                ask nothing, and take what is offered
  --dry-run            say what would be done, and do nothing
HELP
}

camera='' hostname='' kiosk=as-it-was picamera=yes removing=no with_data=no asking=yes dry=no offered=''

read_words() {
    while [ $# -gt 0 ]; do
        case $1 in
            --camera) need "$@" && camera=$2 && shift ;;
            --hostname) need "$@" && hostname=$2 && shift ;;
            --kiosk) kiosk=yes ;;
            --no-kiosk) kiosk=no ;;
            --without-picamera) picamera=no ;;
            --remove) removing=yes ;;
            --with-data) with_data=yes ;;
            --yes) asking=no ;;
            --dry-run) dry=yes ;;
            --help) usage && exit 0 ;;
            *) fail "There is no option $1; --help names them." 2 ;;
        esac
        shift
    done
    [ -t 0 ] || asking=no
    check_words
}

need() { [ $# -ge 2 ] || fail "$1 needs a value." 2; }

check_words() {
    local name='^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' source='^(picamera:[0-9]+|usb:[0-9]+|virtual)$'
    if [ -n "$hostname" ] && ! [[ $hostname =~ $name ]]; then
        fail "A box cannot be called '$hostname': a name has letters a to z, digits and hyphens." 2
    fi
    if [ -n "$camera" ] && ! [[ $camera =~ $source ]]; then
        fail "There is no camera '$camera': choose picamera:0, usb:0 or virtual." 2
    fi
}

say() { printf '\n%s\n' "$*"; }

fail() {
    printf '%s\n' "$1" >&2
    exit "${2:-1}"
}

# Stop a real run with a message; a dry run only prints it.
hinder() {
    if [ $dry = no ]; then fail "$1"; fi
    printf '  (a real run would stop here: %s)\n' "$1"
}

# Make a change, or print it in a dry run.
run() {
    if [ $dry = yes ]; then
        printf '  %s\n' "$*"
    else
        "$@"
    fi
}

# Make a change that may fail, such as one that was made before.
try() { run "$@" || true; }

# Write a file from standard input.
write() {
    if [ $dry = yes ]; then
        printf '  write %s\n' "$1"
        cat >/dev/null
    else
        install -D -m "${2:-644}" /dev/stdin "$1"
    fi
}

agreed() {
    local answer=''
    if [ $asking = no ] || [ $dry = yes ]; then return 1; fi
    read -r -p "$1 [y/N] " answer
    [[ $answer == [yY]* ]]
}

booted() { [ -d /run/systemd/system ]; }

# ── checks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

check_system() {
    local codename='' architecture free_mb
    if [ -r /etc/os-release ]; then
        # shellcheck source=/dev/null
        codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
    fi
    architecture=$(dpkg --print-architecture 2>/dev/null || uname -m)
    free_mb=$(df --output=avail -m / | tail -1 | tr -d ' ')
    [ "$(id -u)" = 0 ] || hinder 'Installing needs root: sudo ./systemd/install.sh'
    [[ $codename =~ ^(bookworm|trixie)$ ]] ||
        hinder "This system is '$codename'; Vander is installed on Raspberry Pi OS or Debian, bookworm or trixie."
    [[ $architecture =~ ^(arm64|amd64)$ ]] ||
        hinder "This system is for $architecture; Vander needs the 64-bit one (arm64, or amd64 on a PC)."
    [ "$free_mb" -ge $ROOM_MB ] || hinder "There are $free_mb megabytes left on the disk, and $ROOM_MB are needed."
}

check_python() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || hinder 'Vander needs Python 3.11 or later.'
}

check_screen() {
    [ $kiosk = yes ] || return 0
    if booted && systemctl is-active --quiet display-manager; then
        hinder 'A desktop uses the screen: choose the console with raspi-config (System, Boot), and run this again.'
    fi
}

# True if apt offers a package that not every system has. apt is asked once, since it takes seconds on a Pi.
available() {
    [ -n "$offered" ] || offered=$(LC_ALL=C apt-cache policy "${NOT_EVERYWHERE[@]}" 2>/dev/null || true)
    grep -A 2 -x "$1:" <<<"$offered" | grep -q 'Candidate: [^(]'
}

present() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# ── system packages and users ────────────────────────────────────────────────────────────────────────────────────────

install_packages() {
    local wanted=(python3-venv avahi-daemon polkitd qrencode) missing=() package
    say 'What the system must have (apt)'
    run apt-get update -q
    if [ $picamera = yes ] && ! available python3-picamera2; then
        hinder 'There is no python3-picamera2 to be had, as is so on all but Raspberry Pi OS: give --without-picamera.'
    fi
    [ $picamera = no ] || wanted+=(python3-picamera2)
    if available python3-lgpio; then wanted+=(python3-lgpio); fi
    if [ $kiosk = yes ]; then wanted+=(cage xwayland libpam-systemd "$(browser)"); fi
    for package in "${wanted[@]}"; do
        present "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    run env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
    for package in "${missing[@]}"; do
        note "package $package"
    done
}

browser() { if available chromium; then echo chromium; else echo chromium-browser; fi; }

# Note what `--remove` must undo.
note() {
    if [ $dry = no ]; then
        mkdir -p $HOME_OF_ALL
        grep -qxF "$1" $MADE 2>/dev/null || printf '%s\n' "$1" >>$MADE
    fi
}

noted() { sed -n "s/^$1 //p" $MADE 2>/dev/null || true; }

make_users() {
    local group
    say 'The user vander, who owns the games and may see the camera and the pins'
    for group in "${GROUPS_NEEDED[@]}"; do
        getent group "$group" >/dev/null || { run groupadd --system "$group" && note "group $group"; }
    done
    make_user vander /nonexistent
    # Before, its home was the data folder. usermod refuses while Vander runs, which has a home of its own anyway.
    try usermod --home /nonexistent vander 2>/dev/null
    run usermod --append --groups "$(joined , "${GROUPS_NEEDED[@]}")" vander
    if [ $kiosk = yes ]; then
        make_user vander-kiosk /var/lib/vander-kiosk
        run usermod --append --groups video,render vander-kiosk
    fi
    run install -d -m 700 -o vander -g vander $DATA $BACKUPS
    run chown -R vander:vander $DATA $BACKUPS
}

make_user() {
    getent passwd "$1" >/dev/null ||
        run useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin "$1"
}

joined() {
    local IFS=$1
    shift
    printf '%s' "$*"
}

# ── the program ──────────────────────────────────────────────────────────────────────────────────────────────────────

release=$HOME_OF_ALL/$(sed -n 's/^version = "\(.*\)"/\1/p' "$HERE/pyproject.toml")-$(date +%Y%m%d-%H%M%S)

# The new version is built next to the one in use, so that a failure here changes nothing.
install_program() {
    say "The program, in $release"
    if [ $dry = no ]; then trap 'rm -rf "$release"' EXIT; fi
    run mkdir -p "$release/source"
    run cp -R "${PARTS[@]/#/$HERE/}" "$release/source/"
    run find "$release/source" -name __pycache__ -prune -exec rm -rf '{}' +
    # picamera2 and lgpio come from the system
    run python3 -m venv --system-site-packages "$release/venv"
    # From here to the next chown nothing of it is run by root: packages come from the network.
    run chown -R vander:vander "$release"
    pip --only-binary :all: --require-hashes --requirement "$release/source/systemd/requirements.lock"
    pip --no-deps --no-index --no-build-isolation "$release/source"
    as_vander "$release/venv/bin/python" -I -m vander --help >/dev/null
    run rm -rf "$release/source/build" "$release/source/vander.egg-info"
    run chown -R root:root "$release" # the service must not change its own program
}

as_vander() { run runuser -u vander -- env HOME=/nonexistent "$@"; }

pip() {
    as_vander "$release/venv/bin/python" -I -m pip install --quiet --disable-pip-version-check --no-cache-dir "$@"
}

# ── configuration files ──────────────────────────────────────────────────────────────────────────────────────────────

install_files() {
    say 'What systemd, avahi and polkit must know'
    [ -e $SETTINGS ] || write $SETTINGS 600 <"$HERE/systemd/vander.env" # a database's address may contain a password
    choose_camera
    write $UNITS/vander.service <"$HERE/systemd/vander.service"
    write /usr/local/bin/vander 755 <"$HERE/systemd/vander.sh"
    write /etc/polkit-1/rules.d/50-vander.rules <"$HERE/systemd/vander-polkit.rules"
    write /etc/avahi/services/vander.service < <(with_port "$HERE/systemd/vander-avahi.xml" '<port>')
    case $kiosk in
        yes) write $UNITS/vander-kiosk.service < <(with_port "$HERE/systemd/vander-kiosk.service" VANDER_PORT=) ;;
        no) remove_kiosk ;;
    esac
}

choose_camera() {
    local line
    if [ -z "$camera" ] && [ $picamera = no ] && [ ! -e $NOW ]; then
        camera=virtual
        if [ -e /dev/video0 ]; then camera=usb:0; fi
    fi
    [ -n "$camera" ] || return 0
    line="VANDER_CAMERA=$camera"
    if [ $dry = no ] && ! grep -q '^VANDER_CAMERA=' $SETTINGS; then printf '%s\n' "$line" >>$SETTINGS; fi
    run sed -i "s|^VANDER_CAMERA=.*|$line|" $SETTINGS
}

# Print a file of this folder with the port of the settings after `$2`.
with_port() { sed "s|$2[0-9]*|$2$(port)|" "$1"; }

port() {
    local said
    said=$(sed -n 's/^VANDER_PORT=//p' $SETTINGS 2>/dev/null | tail -1)
    printf '%s' "${said:-8080}"
}

name_the_box() {
    local called
    called=$(uname -n)
    if [ -z "$hostname" ] && [ "$called" != vander ] && [ ! -e $NOW ] &&
        agreed "The box is called $called. Call it vander, so that tablets find it at http://vander.local:$(port)?"; then
        hostname=vander
    fi
    if [ -z "$hostname" ] || [ "$hostname" = "$called" ]; then return 0; fi
    say "The box's name, $hostname"
    [ -n "$(noted hostname)" ] || note "hostname $called"
    rename_to "$hostname"
}

rename_to() {
    if command -v raspi-config >/dev/null; then
        run raspi-config nonint do_hostname "$1"
    elif booted; then
        run hostnamectl set-hostname "$1"
    else
        write /etc/hostname <<<"$1"
    fi
    if [ -e /etc/hosts ]; then run sed -i "s/^127\.0\.1\.1.*/127.0.1.1\t$1/" /etc/hosts; fi
    if booted; then try systemctl restart avahi-daemon; fi
}

# ── switching versions ───────────────────────────────────────────────────────────────────────────────────────────────

switch() {
    local former='' kept=''
    if [ -L $NOW ]; then former=$(readlink $NOW); fi
    say 'The start'
    if [ -n "$former" ]; then
        if booted; then run systemctl stop vander; fi
        kept=$(back_up) || keep_the_former
    fi
    run ln -sfn "$release" $NOW
    if [ $dry = no ]; then trap - EXIT; fi
    if start; then
        clear_away
    elif [ -n "$former" ]; then
        go_back "$former" "$kept"
    else
        fail "Vander is installed, and does not start. Its log says why: journalctl -u vander -n 20"
    fi
}

back_up() {
    local file
    file=$BACKUPS/before-$(basename "$release").zip
    if [ $dry = no ] && [ -z "$(ls -A $DATA)" ]; then return 0; fi
    # By the new version: an upgrade of the system may have removed the old one's Python.
    run env RELEASE="$release" /usr/local/bin/vander backup "$file" >&2 || return 1
    printf '%s' "$file"
}

# Stop the upgrade, since there is no backup.
keep_the_former() {
    if booted; then systemctl start vander; fi
    fail 'The games cannot be backed up, so that nothing was changed; the Vander of before runs again.'
}

start() {
    if ! booted; then
        echo 'systemd does not run here: Vander starts with the next boot.'
        run systemctl enable vander
        return 0
    fi
    run systemctl daemon-reload
    try systemctl reload dbus
    run systemctl enable --quiet vander
    run systemctl restart vander || return 1 # returns when Vander has reported READY=1
    if [ $kiosk = yes ]; then run systemctl enable --quiet vander-kiosk && run systemctl restart vander-kiosk; fi
}

# Restore the previous version, with the games as it left them.
go_back() {
    local former=$1 kept=$2 games=''
    systemctl stop vander || true
    ln -sfn "$former" $NOW
    if [ -n "$kept" ] && ! restore "$kept"; then
        games=" The games are as the new one left them, since the backup $kept could not be restored."
    fi
    rm -rf "$release"
    systemctl restart vander || true
    fail "The new Vander does not start (journalctl -u vander -n 50 says why); the one of before is started again.$games"
}

# The box's own backup of a moment ago is taken unasked; a former version that cannot ask does not know --yes.
restore() { /usr/local/bin/vander restore --yes "$1" 2>/dev/null || /usr/local/bin/vander restore "$1"; }

clear_away() {
    local folder backup
    for folder in "$HOME_OF_ALL"/*-[0-9]*/; do
        if [ "${folder%/}" != "$release" ] && [ -d "$folder" ]; then run rm -rf "${folder%/}"; fi
    done
    [ -d $BACKUPS ] || return 0
    find $BACKUPS -name 'before-*.zip' -printf '%T@ %p\n' | sort -rn | tail -n +4 | cut -d ' ' -f 2- |
        while read -r backup; do run rm -f "$backup"; done
}

tell() {
    local address name
    name=$(uname -n)
    say 'Vander is installed. On the tablet, in the same Wi-Fi, open'
    printf '    http://%s.local:%s\n' "$name" "$(port)"
    for address in $(addresses); do
        printf '    http://%s:%s\n' "$address" "$(port)"
    done
    if [ -n "${address:-}" ] && command -v qrencode >/dev/null; then
        qrencode -t ANSIUTF8 -m 2 "http://$address:$(port)"
    fi
    cat <<TOLD

Anybody there may watch. To decide, tap "Join in"; the code is on the box's screen or lamp, and \`sudo vander pair\` says it.
Settings: $SETTINGS, then sudo systemctl restart vander. What is well and what is not: sudo vander doctor
TOLD
}

# Print the addresses in the home network, without loopback and container bridges.
addresses() {
    ip -4 -o address show scope global up 2>/dev/null | awk '$2 !~ /^(docker|veth|br-)/ { sub("/.*", "", $4); print $4 }'
}

# ── removal ──────────────────────────────────────────────────────────────────────────────────────────────────────────

remove() {
    local packages former
    say 'Vander is taken away'
    if [ $with_data = no ] && agreed 'Delete the games, the taught dice and their backups as well?'; then with_data=yes; fi
    packages=$(noted package | tr '\n' ' ')
    former=$(noted hostname)
    remove_kiosk
    if booted; then try systemctl disable --now --quiet vander; fi
    try rm -rf $UNITS/vander.service $UNITS/multi-user.target.wants/vander.service /etc/avahi/services/vander.service \
        /etc/polkit-1/rules.d/50-vander.rules /usr/local/bin/vander /etc/vander
    if booted; then run systemctl daemon-reload; fi
    if [ -n "$former" ]; then rename_to "$former"; fi
    remove_data
    remove_users
    run rm -rf $HOME_OF_ALL
    if [ -n "$packages" ]; then
        printf '\nWhat apt brought stays, since other programs may use it by now: sudo apt remove %s\n' "$packages"
    fi
}

remove_kiosk() {
    [ -e $UNITS/vander-kiosk.service ] || return 0
    if booted; then try systemctl disable --now --quiet vander-kiosk; fi
    run rm -rf $UNITS/vander-kiosk.service $UNITS/multi-user.target.wants/vander-kiosk.service /var/lib/vander-kiosk
    if getent passwd vander-kiosk >/dev/null; then try userdel vander-kiosk; fi
}

remove_data() {
    if [ $with_data = yes ]; then
        run rm -rf $DATA $BACKUPS
    elif [ -d $DATA ]; then
        run chown -R root:root $DATA $BACKUPS # a later user with the same number must not own them
        printf 'The games and taught dice stay in %s, their backups in %s.\n' $DATA $BACKUPS
    fi
}

remove_users() {
    local group
    if getent passwd vander >/dev/null; then try userdel vander; fi
    for group in $(noted group); do
        if getent group "$group" >/dev/null; then try groupdel "$group"; fi
    done
}

# ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

main() {
    cd / # a folder that the user vander may enter
    read_words "$@"
    check_system
    if [ $removing = yes ]; then
        remove
        return
    fi
    if [ $kiosk = as-it-was ] && [ -e $UNITS/vander-kiosk.service ]; then kiosk=yes; fi
    check_screen
    install_packages
    check_python
    make_users
    install_program
    install_files
    name_the_box
    switch
    [ $dry = yes ] || tell
}

main "$@"
exit # bash must not read on in a file that was just removed
