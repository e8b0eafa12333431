"""The image says whom it runs as and where it writes; and it runs so: read-only, without a right, and healthy."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CACHE = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/image")).resolve()
PATIENCE_S = 180.0
USER = "990"


@pytest.fixture(scope="session")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image, unpacked from its archive."""
    archive = next(CACHE.glob("vander-*.oci.tar"), None)
    if archive is None:
        pytest.fail(f"{CACHE} holds no image; run bench/box/image/build.sh {CACHE}")
    folder = tmp_path_factory.mktemp("image")
    with tarfile.open(archive) as kept:
        kept.extractall(folder, filter="data")
    return folder


@pytest.fixture(scope="session")
def root(layout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a container of the image sees."""
    bundle = tmp_path_factory.mktemp("bundle")
    subprocess.run(["umoci", "unpack", "--image", f"{layout}:vander", str(bundle)], check=True)  # noqa: S603, S607
    return bundle / "rootfs"


def blob(layout: Path, digest: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((layout / "blobs" / digest.replace(":", "/")).read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def config(layout: Path) -> dict[str, Any]:
    (named,) = json.loads((layout / "index.json").read_text("utf-8"))["manifests"]
    manifest = blob(layout, named["digest"])
    assert len(manifest["layers"]) == 1
    return blob(layout, manifest["config"]["digest"])


def inside(root: Path, *words: str) -> list[str]:
    """A command as a container has it: a root that nobody writes to, a volume, a user without any right."""
    mounts = (
        'mount --bind "$0" "$0"',
        'mount -o remount,bind,ro "$0"',
        f'mount -t tmpfs -o mode=700,uid={USER},gid={USER} data "$0/data"',
        'mount -t tmpfs tmp "$0/tmp"',
        'mount -t proc proc "$0/proc"',
        'mount --bind /dev "$0/dev"',
    )
    enter = " && ".join([*mounts, 'exec chroot "$0" "$@"'])
    as_user = [
        "/usr/bin/setpriv",
        "--reuid",
        USER,
        "--regid",
        USER,
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
    ]
    environment = ["/usr/bin/env", "-i", *(str(line) for line in ENVIRONMENT)]
    shut_in = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", enter, str(root)]
    return [*shut_in, *as_user, *environment, *words]


ENVIRONMENT: list[str] = []


@pytest.fixture(autouse=True)
def environment(config: dict[str, Any]) -> None:
    ENVIRONMENT[:] = config["config"]["Env"]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def healthy(root: Path, port: int) -> bool:
    return subprocess.run(inside(root, "vander-healthy", str(port)), check=False, capture_output=True).returncode == 0  # noqa: S603


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end


@contextmanager
def running(root: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(inside(root, *words), start_new_session=True) as program:  # noqa: S603
        try:
            yield program
        finally:
            os.killpg(program.pid, signal.SIGKILL)  # its rights change, so that it does not end with who started it


def test_the_image_says_whom_it_runs_as_and_where_it_writes(config: dict[str, Any]) -> None:
    told = config["config"]
    assert (told["User"], told["Volumes"], told["Cmd"]) == ("vander", {"/data": {}}, ["play"])
    assert told["Entrypoint"] == ["/usr/local/bin/vander"]
    assert "VANDER_DATA_DIR=/data" in told["Env"]
    assert config["architecture"] in ("amd64", "arm64")


def test_nobody_but_root_may_change_a_file_of_the_image(root: Path) -> None:
    words = ["find", str(root), "-xdev", "-type", "f", "(", "-perm", "/022", "-o", "!", "-user", "root", ")"]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == ""  # noqa: S603


def test_a_table_plays_on_a_root_that_nobody_writes_to(root: Path) -> None:
    port = free_port()
    assert not healthy(root, port)
    with running(root, "/usr/local/bin/vander", "play", "--camera", "virtual", "--port", str(port)) as program:
        until(lambda: program.poll() is None and healthy(root, port))
    until(lambda: not healthy(root, port))


def test_a_hall_has_what_it_needs(root: Path) -> None:
    words = inside(
        root,
        "/usr/bin/python3",
        "-I",
        "-c",
        "import psycopg, rustworkx, vander.extras.hall.hall_server; print('there')",
    )
    done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603
    assert done.stdout == "there\n", done.stderr
