"""The image says whom it runs as and where it writes; and it runs so: read-only, without a right, and healthy."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

CACHE = Path(os.environ.get("VANDER_BOX_CACHE", "build/box/image")).resolve()
PATIENCE_S = 180.0
USER = 990
NAME = f"vander-{os.getpid()}"
CGROUPS = "/sys/fs/cgroup"
MOUNT = ("destination", "type", "source", "options")


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
def bundle(layout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What crun starts: a root that nobody writes to, a volume, a user without any right, the ports of this machine."""
    bundle = tmp_path_factory.mktemp("container") / "bundle"
    subprocess.run(["umoci", "unpack", "--image", f"{layout}:vander", str(bundle)], check=True)  # noqa: S603, S607
    path, volume = bundle / "config.json", bundle / "volume"
    volume.mkdir()
    os.chown(volume, USER, USER)
    spec = json.loads(path.read_text("utf-8"))
    spec["root"]["readonly"] = True
    spec["process"] |= {"terminal": False, "capabilities": {}}
    own = {"/data": ("bind", str(volume), ["rbind"]), "/tmp": ("tmpfs", "tmpfs", ["mode=1777"])}  # noqa: S108
    spec["mounts"] = [mount for mount in spec["mounts"] if mount["destination"] not in {*own, "/sys", CGROUPS}]
    spec["mounts"] += [dict(zip(MOUNT, (where, *how), strict=True)) for where, how in own.items()]
    spec["linux"]["namespaces"] = [one for one in spec["linux"]["namespaces"] if one["type"] != "network"]
    path.write_text(json.dumps(spec), "utf-8")
    return bundle


def blob(layout: Path, digest: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((layout / "blobs" / digest.replace(":", "/")).read_text("utf-8"))
    return found


@pytest.fixture(scope="session")
def config(layout: Path) -> dict[str, Any]:
    (named,) = json.loads((layout / "index.json").read_text("utf-8"))["manifests"]
    manifest = blob(layout, named["digest"])
    assert len(manifest["layers"]) == 1
    return blob(layout, manifest["config"]["digest"])


def crun(*words: str | Path) -> list[str]:
    """A command of the container engine, which refuses a machine where both versions of control groups are mounted."""
    as_one = f"! mountpoint -q {CGROUPS}/unified || umount {CGROUPS}/unified; exec crun --cgroup-manager=disabled"
    return ["unshare", "--mount", "sh", "-c", f'{as_one} "$@"', "sh", *map(str, words)]


def execute(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the container that runs."""
    as_user = crun("exec", "--user", f"{USER}:{USER}", NAME, *words)
    return subprocess.run(as_user, check=False, capture_output=True, text=True)  # noqa: S603


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def healthy(port: int) -> bool:
    return execute("vander-healthy", str(port)).returncode == 0


def post(port: int, address: str, body: dict[str, object]) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as line:
        line.request("POST", address, json.dumps(body), {"Content-Type": "application/json", "X-Vander": "1"})
        with line.getresponse() as answer:
            return answer.status


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end


@contextmanager
def running(bundle: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A container with that command."""
    path = bundle / "config.json"
    spec = json.loads(path.read_text("utf-8"))
    spec["process"]["args"] = words
    path.write_text(json.dumps(spec), "utf-8")
    with subprocess.Popen(crun("run", "--bundle", bundle, NAME)) as program:  # noqa: S603
        try:
            yield program
        finally:
            subprocess.run(crun("delete", "--force", NAME), check=False)  # noqa: S603


def test_the_image_says_whom_it_runs_as_and_where_it_writes(config: dict[str, Any]) -> None:
    told = config["config"]
    assert (told["User"], told["Volumes"], told["Cmd"]) == ("vander", {"/data": {}}, ["play"])
    assert told["Entrypoint"] == ["/usr/local/bin/vander"]
    assert "VANDER_DATA_DIR=/data" in told["Env"]
    assert config["architecture"] in ("amd64", "arm64")


def test_nobody_but_root_may_change_a_file_of_the_image(bundle: Path) -> None:
    root = str(bundle / "rootfs")
    words = ["find", root, "-xdev", "-type", "f", "(", "-perm", "/022", "-o", "!", "-user", "root", ")"]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout == ""  # noqa: S603


def test_a_table_plays_in_a_container_that_writes_to_its_volume_alone(bundle: Path) -> None:
    port = free_port()
    with running(bundle, "/usr/local/bin/vander", "play", "--camera", "virtual", "--port", str(port)) as program:
        until(lambda: program.poll() is None and healthy(port))
        assert post(port, "/api/game", {"game": "toss-up", "players": ["Ann", "Bob"], "options": {}}) == 200
        assert execute("touch", "/usr/there").returncode == execute("touch", "/var/there").returncode == 1
        status = execute("grep", "-E", "^(CapEff|CapBnd|NoNewPrivs)", "/proc/1/status").stdout.split()
        assert status == ["CapEff:", "0" * 16, "CapBnd:", "0" * 16, "NoNewPrivs:", "1"]
        subprocess.run(crun("kill", NAME, "TERM"), check=True)  # noqa: S603
        assert program.wait(PATIENCE_S) == 0
    assert (bundle / "volume/journal.sqlite").stat().st_uid == USER


def test_a_hall_has_what_it_needs(bundle: Path) -> None:
    program = "import psycopg, rustworkx, vander.hall.hall_server"
    with running(bundle, "/usr/bin/python3", "-I", "-c", program) as hall:
        assert hall.wait(PATIENCE_S) == 0
