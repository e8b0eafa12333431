#!/bin/bash
# Builds what the camera's part of the slow tier needs: libcamera with its virtual camera, picamera2, and a venv that
# has both and the project's own dependencies. Some six minutes the first time, nothing when all of it stands already.
#
#   bench/box/camera/build.sh [CACHE]       (build/box/camera unless said; it may not be moved once it is built)
#
# Debian 12 or 13, as root or with sudo. VANDER_BOX_PYTHON is the Python to build for (Debian's own unless said).
set -euo pipefail

CHECKOUT=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "${1:-$CHECKOUT/build/box/camera}"
CACHE=$(cd "${1:-$CHECKOUT/build/box/camera}" && pwd)
PYTHON=${VANDER_BOX_PYTHON:-/usr/bin/python3}
PREFIX=$CACHE/prefix
WORK=$CACHE/work
BIN=$CACHE/venv/bin

# The versions that the tests were written against. A libcamera that Debian no longer has gives way to the newest.
LIBCAMERA=0.7.2-1
PICAMERA2=0.3.38
PACKAGES=(g++ pkg-config dpkg-dev openssl libyaml-dev libyuv-dev libjpeg-dev libudev-dev libgnutls28-dev libevent-dev
    libcap-dev python3-dev python3-venv)
TOOLS=(meson ninja jinja2 ply pyyaml pybind11)

stamp() { { cat "$0"; echo "$CACHE"; "$PYTHON" -VV; } | sha256sum | cut -d' ' -f1; }

requirements() {
    "$PYTHON" - "$CHECKOUT/pyproject.toml" <<'EOP'
import pathlib, sys, tomllib
print("\n".join(tomllib.loads(pathlib.Path(sys.argv[1]).read_text())["project"]["dependencies"]))
EOP
}

install_packages() {
    dpkg -s "${PACKAGES[@]}" >/dev/null 2>&1 && return
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=900 install -y -qq \
        --no-install-recommends "${PACKAGES[@]}" >/dev/null
}

# The source comes from a newer Debian, from the archive that this machine already uses, past its own list of sources.
fetch_source() {
    local archive
    archive=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' 'Origin: Debian' |
        awk '$2 == "Debian" && !found++ { print $1 }')
    mkdir -p "$WORK/apt/lists/partial" "$WORK/apt/cache/archives/partial"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive sid main" >"$WORK/apt/sources.list"
    cat >"$WORK/apt/apt.conf" <<EOC
Dir::Etc::sourcelist "$WORK/apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$WORK/apt/lists";
Dir::Cache "$WORK/apt/cache";
APT::Sandbox::User "";
EOC
    export APT_CONFIG=$WORK/apt/apt.conf
    apt-get update -qq
    (cd "$WORK" && { apt-get source -qq "libcamera=$LIBCAMERA" || apt-get source -qq libcamera; })
    unset APT_CONFIG
}

make_venv() {
    rm -rf "$CACHE/venv"
    "$PYTHON" -m venv "$CACHE/venv"
    "$BIN/python" -m pip install --quiet "${TOOLS[@]}" "picamera2==$PICAMERA2"
}

build_libcamera() {
    local path=$BIN:$PATH
    export GIT_CEILING_DIRECTORIES=$CACHE  # else it takes the checkout's version for its own
    PATH=$path meson setup "$WORK/build" "$(ls -d "$WORK"/libcamera-*/)" --prefix="$PREFIX" --libdir=lib \
        --buildtype=release --wrap-mode=nodownload -Dpipelines=virtual -Dipas= -Dpycamera=enabled -Dudev=enabled \
        -Dwerror=false -Dcam=disabled -Dgstreamer=disabled -Dqcam=disabled -Dlc-compliance=disabled \
        -Ddocumentation=disabled -Dtest=false -Dtracing=disabled -Dv4l2=disabled -Dlibdw=disabled \
        -Dlibunwind=disabled "-Dcpp_link_args=-Wl,-rpath,$PREFIX/lib" >"$CACHE/build.log"
    PATH=$path nice -n 19 ninja -C "$WORK/build" install >>"$CACHE/build.log"
}

# Where libcamera's Python module was put, and a stand-in for kms, which picamera2 imports for screens alone: the
# registry has another package of that name, which is not to be installed.
join_them() {
    local site
    site=$("$BIN/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    dirname "$(find "$PREFIX" -type d -path '*-packages/libcamera')" >"$site/libcamera.pth"
    cat >"$site/kms.py" <<'EOP'
class _Any(type):
    def __getattr__(cls, name):
        return name


class PixelFormats(metaclass=_Any):
    pass


PixelFormat = PixelFormats
EOP
    mkdir -p "$PREFIX/share/libcamera/pipeline/virtual"
}

if [ "$(cat "$CACHE/stamp" 2>/dev/null)" != "$(stamp)" ]; then
    rm -rf "$CACHE/stamp" "$CACHE/requirements" "$PREFIX" "$WORK"
    mkdir -p "$WORK"
    install_packages
    fetch_source
    make_venv
    build_libcamera
    join_them
    "$BIN/python" -c 'import picamera2'
    rm -rf "$WORK"
    stamp >"$CACHE/stamp"
fi
if [ "$(cat "$CACHE/requirements" 2>/dev/null)" != "$(requirements)" ]; then
    requirements >"$CACHE/requirements.wanted"
    "$BIN/python" -m pip install --quiet --requirement "$CACHE/requirements.wanted"
    mv "$CACHE/requirements.wanted" "$CACHE/requirements"
fi
