#!/bin/bash
# Builds an OCI image of Vander, for a table or a hall: Debian's Python and the locked wheels, without Docker or a daemon.
#
#   image/build.sh [FOLDER]     FOLDER/vander-ARCH.oci.tar   (build/image unless said)
#   ARCH=arm64                  for another machine than this one: amd64 or arm64
#
# Works as root on Debian; asks apt for mmdebstrap and umoci where they are missing, and for qemu for the other
# architecture. A wheel with another checksum than the lock files have is refused.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
house=$(dirname "$here")
mkdir -p "${1:-$house/build/image}"
out=$(cd "${1:-$house/build/image}" && pwd)
own=$(dpkg --print-architecture)
arch=${ARCH:-$own}
python=3.13 suite=trixie # Python that of the suite
pip=("$house/.venv/bin/python" -m pip --quiet --disable-pip-version-check)
case $arch in
    amd64) machine=x86_64 ;;
    arm64) machine=aarch64 ;;
    *) echo "An image is for amd64 or arm64, not for '$arch'." >&2 && exit 2 ;;
esac

tools=(mmdebstrap umoci)
if [ "$arch" != "$own" ]; then tools+=(qemu-user-static arch-test binfmt-support); fi
missing=()
for tool in "${tools[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$tool" 2>/dev/null | grep -qx installed || missing+=("$tool")
done
if [ ${#missing[@]} -gt 0 ]; then apt-get install -y -q --no-install-recommends "${missing[@]}"; fi
if [ "$arch" != "$own" ]; then
    mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    [ -e "/proc/sys/fs/binfmt_misc/qemu-$machine" ] || update-binfmts --enable "qemu-$machine"
fi

work=$(mktemp -d "$out/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git -C "$house" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$house/pyproject.toml")

# The program: what git has, so that nothing else that lies about is taken.
mkdir "$work/source" "$work/site"
git -C "$house" ls-files -z | tar -C "$house" --null --files-from=- --create | tar -C "$work/source" --extract
"${pip[@]}" wheel --no-deps --wheel-dir "$work" "$work/source"

# What it needs, for that machine and not for this one: uv holds the conditions of the lock files against the former.
"${pip[@]}" install --target "$work/uv" 'uv>=0.9,<1'
install=("$work/uv/bin/uv" pip install --quiet --no-deps --only-binary=:all: --target "$work/site" --python-version "$python"
    --python-platform "$machine-manylinux_2_39")
"${install[@]}" --require-hashes --requirement "$house/systemd/requirements.lock" --requirement "$here/hall.lock"
"${install[@]}" "$work"/vander-*.whl
rm -rf "$work/site/bin"

# The system: Python and certificates; a user without a home of its own, one folder that may be written to.
# shellcheck disable=SC2016  # apt's own words, and those of the shell that mmdebstrap starts
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)
packages=/usr/local/lib/python$python/dist-packages
# shellcheck disable=SC2016
nice -n 19 mmdebstrap --quiet --architectures="$arch" --variant=minbase --include=python3,ca-certificates,tzdata \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook="mkdir -p \"\$1$packages\" && cp -R '$work/site/.' \"\$1$packages\"" \
    --customize-hook='chroot "$1" useradd --system --uid 990 --user-group --no-create-home --home-dir /tmp vander' \
    --customize-hook='rm -f "$1"/var/log/*log "$1"/var/log/*tmp' \
    --customize-hook="install -m 755 '$here/vander' '$here/vander-healthy' \"\$1/usr/local/bin\"" \
    --customize-hook='mkdir -m 700 "$1/data" && chroot "$1" chown vander:vander /data' \
    --customize-hook="chroot \"\$1\" python3 -m compileall -q --invalidation-mode unchecked-hash $packages" \
    $suite "$work/root.tar" "${mirror:-http://deb.debian.org/debian}"

umoci init --layout "$work/layout"
umoci new --image "$work/layout:vander"
umoci raw add-layer --image "$work/layout:vander" --history.created_by image/build.sh "$work/root.tar"
umoci config --image "$work/layout:vander" --no-history --os linux --architecture "$arch" \
    --created "$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)" \
    --config.user vander --config.entrypoint /usr/local/bin/vander --config.cmd play --config.workingdir /tmp \
    --config.volume /data --config.exposedports 8080/tcp --config.exposedports 8443/tcp --config.stopsignal SIGTERM \
    --config.env VANDER_DATA_DIR=/data --config.env VANDER_HOST=0.0.0.0 --config.env HOME=/tmp --config.env LANG=C.UTF-8 \
    --config.env PATH=/usr/local/bin:/usr/bin:/bin --config.env MALLOC_ARENA_MAX=2 --config.env ORT_DISABLE_TELEMETRY=1 \
    --config.label org.opencontainers.image.title=Vander --config.label "org.opencontainers.image.version=$version" \
    --config.label org.opencontainers.image.licenses=Apache-2.0
tar --directory "$work/layout" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --create --file "$work/vander.tar" .
mv "$work/vander.tar" "$out/vander-$arch.oci.tar"
echo "$out/vander-$arch.oci.tar: $(du -h "$out/vander-$arch.oci.tar" | cut -f1)"
