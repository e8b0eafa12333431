"""What systemd, avahi, polkit and the installer are told fits together; the slow tier runs it for real."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.cameras.camera_process import DEFAULT_PROCESS_TIMEOUTS
from vander.app.camera_loop import BEAT_S, FRAME_TIMEOUT_S
from vander.storage.settings import Settings, load

HOUSE = Path(__file__).parent.parent
SYSTEMD = HOUSE / "systemd"
UNITS = sorted(SYSTEMD.glob("*.service"))
SCRIPTS = sorted(SYSTEMD.glob("*.sh"))
INSTALL = (SYSTEMD / "install.sh").read_text("utf-8")
PLACES = ("/opt/vander", "/etc/vander", "/var/lib/vander", "/etc/systemd/system/vander.service")
STOOD = [Path(place).exists() for place in PLACES]
"""What there is before anything is tried: on a box all of it."""
Unit = dict[tuple[str, str], list[str]]


def parsed(path: Path) -> Unit:
    """A unit file's values by section and key, as systemd.syntax(7) reads them."""
    unit: Unit = {}
    section = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith(("#", ";")):
            key, equals, value = line.partition("=")
            assert (equals, key.isidentifier()) == ("=", True), f"{path.name}: {line}"
            unit.setdefault((section, key), []).append(value)
    return unit


@pytest.fixture
def vander() -> Unit:
    return parsed(SYSTEMD / "vander.service")


def constant(name: str) -> str:
    """A constant of the installer's, with the others in it put in."""
    (value,) = re.findall(rf"^{name}=(\S+)", INSTALL, re.MULTILINE)
    return re.sub(r"\$(\w+)", lambda found: constant(found[1]), value)


def listed(name: str) -> list[str]:
    (words,) = re.findall(rf"^{name}=\((.*)\)$", INSTALL, re.MULTILINE)
    return str(words).split()


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_unit_says_what_it_is_what_it_runs_as_whom_and_when(path: Path) -> None:
    unit = parsed(path)
    wanted = {("Unit", "Description"), ("Service", "ExecStart"), ("Service", "User"), ("Install", "WantedBy")}
    assert unit.keys() >= wanted
    assert unit["Service", "NoNewPrivileges"] == ["yes"]
    assert unit["Service", "ProtectSystem"] == ["strict"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_a_box_never_gives_up(path: Path) -> None:
    unit = parsed(path)
    assert unit["Service", "Restart"] == ["always"]
    assert unit["Unit", "StartLimitIntervalSec"] == ["0"]
    assert 1 <= int(unit["Service", "RestartSec"][0]) <= 30


def test_the_service_tells_when_it_is_ready_and_is_watched(vander: Unit) -> None:
    assert vander["Service", "Type"] == ["notify"]
    assert vander["Service", "NotifyAccess"] == ["main"]
    patience_s = int(vander["Service", "WatchdogSec"][0])
    opening_s = DEFAULT_PROCESS_TIMEOUTS.longest_s
    # Between two beats the loop may open a camera that hangs, or open one whose first frame does not come.
    assert BEAT_S < opening_s + FRAME_TIMEOUT_S + DEFAULT_PROCESS_TIMEOUTS.grace_s < patience_s


def test_the_installer_and_the_service_mean_the_same_places(vander: Unit) -> None:
    data = Path(constant("DATA"))
    assert vander["Service", "ExecStart"][0].startswith(f"{constant('NOW')}/venv/bin/python ")
    assert vander["Service", "ExecStart"][0].endswith(" -m vander play")
    assert vander["Service", "EnvironmentFile"] == [f"-{constant('SETTINGS')}"]
    assert f"VANDER_DATA_DIR={data}" in vander["Service", "Environment"]
    assert data == Path("/var/lib", vander["Service", "StateDirectory"][0])
    assert f"VANDER_DATA_DIR={data}" in (SYSTEMD / "vander.sh").read_text("utf-8")
    assert constant("SETTINGS") in (SYSTEMD / "vander.sh").read_text("utf-8")


PLANTED = "import pathlib; pathlib.Path({!r}).touch()"
"""A line of a .pth file, which Python runs when it starts."""


def planted(home: Path) -> Path:
    """Put a .pth file where Python looks for packages of the user whose home this is; return the file that it makes."""
    made = home / "made"
    packages = home / f".local/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    packages.mkdir(parents=True)
    (packages / "x.pth").write_text(PLANTED.format(str(made)) + "\n", "utf-8")
    return made


def start_python(home: Path, options: Sequence[str], **environment: str) -> None:
    """Start a Python that looks for the user's packages, as one of the box does, and end it at once."""
    python = getattr(sys, "_base_executable", sys.executable)
    clean = {"PATH": os.environ["PATH"], "HOME": str(home)}
    subprocess.run([python, *options, "-c", "pass"], check=True, cwd=home, env=clean | environment)  # noqa: S603


def test_no_code_in_the_home_runs_when_the_service_starts(vander: Unit, tmp_path: Path) -> None:
    made = planted(tmp_path)
    start_python(tmp_path, ())
    assert made.exists()  # an ordinary Python does run it
    made.unlink()
    options = vander["Service", "ExecStart"][0].split()[1:]
    assert "-I" in options
    start_python(tmp_path, options[: options.index("-m")])
    assert not made.exists()


def test_no_code_in_the_home_runs_in_a_python_that_the_service_starts(vander: Unit, tmp_path: Path) -> None:
    made = planted(tmp_path)
    environment = dict(line.split("=", 1) for line in vander["Service", "Environment"])
    start_python(tmp_path, (), **{name: value for name, value in environment.items() if name.startswith("PYTHON")})
    assert not made.exists()


def test_the_home_is_not_the_data_folder(vander: Unit) -> None:
    (home,) = (line for line in vander["Service", "Environment"] if line.startswith("HOME="))
    assert Path(home.removeprefix("HOME=")) == Path("/run", vander["Service", "RuntimeDirectory"][0])
    launcher = (SYSTEMD / "vander.sh").read_text("utf-8")
    assert home in launcher
    assert "PYTHONNOUSERSITE=1" in launcher
    assert '/venv/bin/python" -I -m vander "$@"' in launcher
    assert "make_user vander /nonexistent" in INSTALL


def test_the_program_can_be_started_as_a_module_and_isolated(tmp_path: Path) -> None:
    words = [sys.executable, "-I", "-m", "vander", "check", "--help"]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=tmp_path)  # noqa: S603
    assert done.returncode == 0, done.stderr
    assert "vander check" in done.stdout


def test_the_service_keeps_the_memory_of_its_threads_together(vander: Unit) -> None:
    assert "MALLOC_ARENA_MAX=2" in vander["Service", "Environment"]


def test_the_installer_makes_the_groups_that_the_service_is_in(vander: Unit) -> None:
    assert vander["Service", "SupplementaryGroups"] == [" ".join(listed("GROUPS_NEEDED"))]


def test_the_installer_copies_every_package_and_the_units() -> None:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))
    packages = {name.rstrip("*") for name in project["tool"]["setuptools"]["packages"]["find"]["include"]}
    assert packages | {"systemd", "pyproject.toml", project["project"]["readme"]} <= set(listed("PARTS"))
    assert [name for name in listed("PARTS") if not (HOUSE / name).exists()] == []


def test_the_service_sees_the_camera_the_pins_and_the_loudspeaker_and_no_other_devices(vander: Unit) -> None:
    assert vander["Service", "DevicePolicy"] == ["closed"]
    allowed = {value.split()[0] for value in vander["Service", "DeviceAllow"]}
    assert allowed == {f"char-{kind}" for kind in ("video4linux", "media", "dma_heap", "gpiochip", "drm", "alsa")}


def test_the_screens_browser_is_shut_in_and_may_shut_in_its_own_processes() -> None:
    kiosk = parsed(SYSTEMD / "vander-kiosk.service")
    calls = " ".join(kiosk["Service", "SystemCallFilter"]).split()
    assert kiosk["Service", "CapabilityBoundingSet"] == [""]
    assert kiosk["Service", "RestrictNamespaces"] == ["user pid net"]  # what Chromium's sandbox makes
    assert {"@system-service", "~@privileged", "chroot", "seccomp"} <= set(calls)
    assert calls.index("~@privileged") < calls.index("chroot")
    assert kiosk["Service", "IPAddressDeny"] == ["any"]
    assert "--host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE localhost'" in (SYSTEMD / "kiosk.sh").read_text("utf-8")


def test_the_boxs_settings_are_settings_that_can_be(tmp_path: Path) -> None:
    lines = re.findall(r"^#?VANDER_(\w+)=(.*)$", (SYSTEMD / "vander.env").read_text("utf-8"), re.MULTILINE)
    given = {name.lower(): value for name, value in lines}
    assert len(given) == len(lines) >= 6
    settings = load(**given, data_dir=tmp_path)
    assert settings.host == "0.0.0.0"  # noqa: S104  tablets are let in
    assert settings.port == Settings.model_fields["port"].default


def test_the_network_is_told_of_the_page() -> None:
    told = ET.parse(SYSTEMD / "vander-avahi.xml")  # noqa: S314  our own file
    assert told.findtext("service/type") == "_http._tcp"
    assert told.findtext("service/port") == str(Settings.model_fields["port"].default)


def test_polkit_lets_the_service_shut_down_and_do_nothing_else() -> None:
    rules = (SYSTEMD / "vander-polkit.rules").read_text("utf-8")
    assert set(re.findall(r'"(org\.[^"]+)"', rules)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
    }
    assert re.findall(r"subject\.\w+ === \"(\w+)\"", rules) == ["vander"]


# ── the installer ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_a_script_can_be_run_and_read(path: Path) -> None:
    shell = path.read_text("utf-8").splitlines()[0].split("/")[-1].split()[-1]
    subprocess.run([shell, "-n", str(path)], check=True)  # noqa: S603  our own script
    assert os.access(path, os.X_OK)


def install(*words: str) -> subprocess.CompletedProcess[str]:
    """The installer, which in a dry run changes nothing."""
    return subprocess.run(  # noqa: S603
        [str(SYSTEMD / "install.sh"), "--dry-run", *words],
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def dry() -> str:
    """What a dry run with all that can be chosen says."""
    done = install("--without-picamera", "--camera", "usb:0", "--hostname", "dice", "--kiosk")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_dry_run_says_each_step_in_order(dry: str) -> None:
    places = [dry.find(step) for step in ("apt-get update", "cp -R", "-m venv --system-site", "pip install", "ln -sfn")]
    assert -1 not in places
    assert places == sorted(places)


def test_the_installer_does_what_its_options_say(dry: str) -> None:
    assert "write /etc/systemd/system/vander.service" in dry
    assert "write /etc/systemd/system/vander-kiosk.service" in dry
    assert "s|^VANDER_CAMERA=.*|VANDER_CAMERA=usb:0|" in dry
    assert "The box's name, dice" in dry
    assert "picamera2" not in dry


def test_packages_are_installed_by_the_services_user_from_wheels_with_the_locked_checksums(dry: str) -> None:
    installs = [line for line in dry.splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert all(line.strip().startswith("runuser -u vander -- ") and " -I -m pip " in line for line in installs)
    assert "--only-binary :all: --require-hashes --requirement" in installs[0]
    assert "systemd/requirements.lock" in installs[0]
    assert "--no-deps --no-index --no-build-isolation" in installs[1]
    given_away, taken_back = (dry.index(f"chown -R {owner} /opt/vander/") for owner in ("vander:vander", "root:root"))
    assert given_away < dry.index("pip install") < dry.rindex("pip install") < taken_back


def test_a_dry_run_changes_nothing(dry: str) -> None:
    assert dry
    assert [Path(place).exists() for place in PLACES] == STOOD


def test_removing_takes_away_what_installing_writes(dry: str) -> None:
    told = install("--remove", "--with-data").stdout
    written = re.findall(r"^  write (\S+)", dry, re.MULTILINE)
    kept = {"/etc/hostname", "/etc/systemd/system/vander-kiosk.service"}  # named anew; there only with a screen
    assert len(written) >= 6
    assert [
        path for path in written if path not in kept and path not in told and not path.startswith("/etc/vander/")
    ] == []
    assert "/etc/vander" in told


@pytest.mark.parametrize(
    "words",
    [["--bogus"], ["--hostname"], ["--hostname", "a b"], ["--hostname", "-a"], ["--camera", "webcam"]],
)
def test_what_the_installer_cannot_take_is_said_in_a_sentence_and_nothing_is_done(words: Sequence[str]) -> None:
    done = install(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


def test_every_option_of_the_installer_is_in_its_help() -> None:
    told = install("--help").stdout
    taken = re.findall(r"^ +(--[a-z-]+)\)", INSTALL, re.MULTILINE)
    assert len(taken) >= 10
    assert [option for option in taken if option not in told and option != "--help"] == []
