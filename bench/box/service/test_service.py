"""The box's life, from the fresh card to the day it is taken away; each test goes on where the one before left it."""

from __future__ import annotations

import re
import subprocess
import time

import pytest
from box import CHECKOUT, HOUSE, PORT, Box, Done, ask
from conftest import install, look_round

UNITS = "/opt/vander/now/source/systemd"
SERVER = "vander/app/server.py"
pytestmark = pytest.mark.usefixtures("installed")


def is_up(box: Box) -> bool:
    return box.is_now("ActiveState") == "active" and ask("/api/snapshot") is not None


def restarts(box: Box) -> int:
    return int(box.is_now("NRestarts"))


def players() -> list[str]:
    state = ask("/api/snapshot")["state"]
    return [player["name"] for player in state["players"]] if state else []


def test_the_scripts_are_clean() -> None:
    for script in (*HOUSE.glob("systemd/*.sh"), *HOUSE.glob("bench/box/service/*.sh")):
        done = subprocess.run(["shellcheck", str(script)], check=False, capture_output=True, text=True)  # noqa: S603, S607
        assert (done.stdout, done.returncode) == ("", 0)


# ── installing ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_command_makes_a_box_that_is_ready(box: Box, installed: Done) -> None:
    assert is_up(box)
    assert box.is_now("StatusText").startswith("Vander is ready at http://")
    assert box.is_now("NRestarts") == "0"
    assert box.do("systemctl", "is-enabled", "vander").out == "enabled\n"
    assert f"http://dice.local:{PORT}" in installed.out
    assert "█" in installed.out  # the address as a picture that a tablet's camera reads


def test_the_owners_settings_stay_and_the_camera_is_the_one_asked_for(box: Box) -> None:
    settings = box.do("cat", "/etc/vander/vander.env").out
    assert settings == f"# ours\nVANDER_HOST=0.0.0.0\nVANDER_PORT={PORT}\nVANDER_CAMERA=virtual\n"
    assert box.do("hostname").out == "dice\n"
    assert f"<port>{PORT}<" in box.do("cat", "/etc/avahi/services/vander.service").out


@pytest.mark.parametrize("unit", ["vander.service", "vander-kiosk.service"])
def test_systemd_has_nothing_to_say_against_the_units(box: Box, unit: str) -> None:
    done = box.do("systemd-analyze", "verify", f"{UNITS}/{unit}")
    assert (done.out, done.err) == ("", "")


def test_the_service_is_as_shut_in_as_it_says(box: Box) -> None:
    for unit, most in (("vander", 20), ("vander-kiosk", 24)):
        box.do("systemd-analyze", "security", "--offline=true", f"--threshold={most}", f"{UNITS}/{unit}.service")
    process = box.is_now("MainPID")
    status = dict(re.findall(r"^(\w+):\s+(.*)$", box.do("cat", f"/proc/{process}/status").out, re.MULTILINE))
    assert (status["CapEff"].strip("0"), status["NoNewPrivs"], status["Seccomp"]) == ("", "1", "2")
    assert box.do("stat", "-c", "%U %a", "/var/lib/vander").out == "vander 700\n"
    within = ("nsenter", "--target", process, "--mount", "--root", "touch")
    for place in ("/etc/x", "/usr/x", "/opt/vander/x"):
        assert "Read-only file system" in box.do(*within, place, check=False).err, place
    assert box.do(*within, "/var/lib/vander/x", check=False).status == 0
    assert box.do("rm", "/var/lib/vander/x").status == 0


def test_a_game_is_set_up(box: Box) -> None:
    ask("/api/game", {"game": "toss-up", "players": ["Ann", "Bob"], "options": {}})
    assert players() == ["Ann", "Bob"]


def test_a_second_program_is_turned_away_in_a_sentence(box: Box) -> None:
    done = box.do("/usr/local/bin/vander", "play", "--port", str(PORT + 1), check=False)
    assert done.status == 2
    assert re.search(rf"another Vander \(process \d+, http://\S+:{PORT}\) already uses the folder", done.err)
    assert len(done.err.strip().splitlines()) == 1


# ── staying up ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("trouble", ["unplugged", "frozen"])
def test_a_box_whose_camera_is_gone_or_frozen_is_let_be(box: Box, trouble: str) -> None:
    before = restarts(box)
    ask("/api/tray/trouble", {"kind": trouble})
    time.sleep(45)
    assert restarts(box) == before
    assert trouble in box.is_now("StatusText")
    ask("/api/tray/trouble", {"kind": ""})
    box.wait(lambda: "ready" in box.is_now("StatusText"), "the camera is there again")
    assert players() == ["Ann", "Bob"]


@pytest.mark.parametrize("trouble", ["a hang", "kill -9"])
def test_the_service_is_started_again_and_the_game_goes_on(box: Box, trouble: str) -> None:
    before, process = restarts(box), box.is_now("MainPID")
    since = time.monotonic()
    box.do("kill", "-STOP" if trouble == "a hang" else "-KILL", process)
    box.wait(lambda: restarts(box) == before + 1, f"there was a restart after {trouble}")
    took_s = time.monotonic() - since
    box.wait(lambda: is_up(box), "the page answers again")
    assert players() == ["Ann", "Bob"]
    assert ("watchdog" in box.log(400).lower()) or trouble == "kill -9"
    assert took_s < 15 if trouble == "kill -9" else 25 < took_s < 60
    print(f"{trouble}: started again after {took_s:.0f} s, and up after {time.monotonic() - since:.0f} s")


def test_a_bad_setting_is_said_in_one_sentence_and_takes_effect_when_it_is_mended(box: Box) -> None:
    good = box.do("cat", "/etc/vander/vander.env").out
    box.do("journalctl", "--rotate")
    box.write("/etc/vander/vander.env", good + "VANDER_PAUSE_S=a while\n")
    box.do("systemctl", "restart", "vander", check=False)
    box.wait(lambda: "the setting pause_s cannot be 'a while'" in box.log(20), "the log names the setting")
    box.wait(lambda: restarts(box) >= 2, "it was tried again")
    assert "Traceback" not in box.log(20)
    box.write("/etc/vander/vander.env", good)
    box.wait(lambda: is_up(box), "the mended setting took effect")


def test_a_stop_is_clean(box: Box) -> None:
    box.do("systemctl", "stop", "vander")
    assert (box.is_now("Result"), box.is_now("ExecMainStatus")) == ("success", "0")
    box.do("systemctl", "start", "vander")
    assert is_up(box)


# ── backing up and upgrading ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_games_are_backed_up_while_it_runs_and_restored_when_it_does_not(box: Box) -> None:
    box.do("/usr/local/bin/vander", "backup", "/var/backups/vander/ours.zip")
    ask("/api/game", {"game": "toss-up", "players": ["Eve", "Zoe"], "options": {}})
    refused = box.do("/usr/local/bin/vander", "restore", "/var/backups/vander/ours.zip", check=False)
    assert (refused.status, "already uses the folder" in refused.err) == (2, True)
    box.do("systemctl", "stop", "vander")
    box.do("/usr/local/bin/vander", "restore", "/var/backups/vander/ours.zip")
    assert box.do("find", "/var/lib/vander", "!", "-user", "vander").out == ""
    box.do("systemctl", "start", "vander")
    assert players() == ["Ann", "Bob"]


def releases(box: Box) -> list[str]:
    return box.do("sh", "-c", "ls -d /opt/vander/*-[0-9]*").out.split()


def test_the_same_command_again_upgrades_and_keeps_the_games(box: Box) -> None:
    before = releases(box)
    install(box)
    assert is_up(box)
    assert players() == ["Ann", "Bob"]
    assert (len(releases(box)), releases(box) != before) == (1, True)
    assert len(box.do("sh", "-c", "ls /var/backups/vander/before-*.zip").out.split()) == 1


def test_a_program_that_does_not_start_gives_way_to_the_one_of_before(box: Box) -> None:
    before = releases(box)
    box.do("cp", "-R", *(f"{CHECKOUT}/{part}" for part in _parts()), _made(box, "/root/broken"))
    box.write(f"/root/broken/{SERVER}", _server_that_spoils_the_journal())
    done = install(box, checkout="/root/broken", check=False)
    assert done.status == 1
    assert done.err.strip().splitlines()[-1].startswith("The new Vander does not start")
    box.wait(lambda: is_up(box), "the one of before runs again")
    assert releases(box) == before
    assert players() == ["Ann", "Bob"]
    box.do("rm", "-rf", "/root/broken")


def _made(box: Box, folder: str) -> str:
    box.do("mkdir", "-p", folder)
    return folder


def _parts() -> list[str]:
    (parts,) = re.findall(r"^PARTS=\((.*)\)$", (HOUSE / "systemd/install.sh").read_text("utf-8"), re.MULTILINE)
    return str(parts).split()


def _server_that_spoils_the_journal() -> str:
    """A later Vander that brings the journal up to its date, and then has no port."""
    return (
        (HOUSE / SERVER)
        .read_text("utf-8")
        .replace(
            "def play(settings: Settings) -> None:",
            "def play(settings: Settings) -> None:\n"
            "    import sqlite3\n"
            "    with sqlite3.connect(settings.data_dir / 'journal.sqlite') as journal:\n"
            "        journal.execute('UPDATE vander_schema SET version = 999')\n"
            "    raise PortTaken('this one does not start')\n\n\n"
            "def _never(settings: Settings) -> None:",
        )
    )


# ── shutting down and taking away ────────────────────────────────────────────────────────────────────────────────────


def test_taken_away_it_leaves_the_games_and_nothing_else(box: Box, before: dict[str, str]) -> None:
    told = box.do(f"{CHECKOUT}/systemd/install.sh", "--remove", "--yes")
    assert "sudo apt remove" in told.out
    left = [
        path for path in left_behind(box, before) if not path.startswith(("/var/lib/vander/", "/var/backups/vander/"))
    ]
    assert left == ["/var/backups/vander", "/var/lib/vander"], "\n".join(left)
    assert box.do("find", "/var/lib/vander", "/var/backups/vander", "!", "-user", "root").out == ""
    assert look_round(box)["name"] == before["name"]
    assert "vander" not in look_round(box)["users"]


def test_installed_again_it_finds_the_games(box: Box) -> None:
    box.write("/etc/vander/vander.env", f"VANDER_HOST=0.0.0.0\nVANDER_PORT={PORT}\nVANDER_CAMERA=virtual\n")
    install(box)
    assert players() == ["Ann", "Bob"]


def test_taken_away_with_its_games_it_leaves_nothing(box: Box, before: dict[str, str]) -> None:
    box.do(f"{CHECKOUT}/systemd/install.sh", "--remove", "--with-data", "--yes")
    assert left_behind(box, before) == []


def left_behind(box: Box, before: dict[str, str]) -> list[str]:
    """The files that were not there before and belong to no package of the system's."""
    new = set(look_round(box)["files"].splitlines()) - set(before["files"].splitlines())
    listed = box.do("sh", "-c", "cat /var/lib/dpkg/info/*.list").out.splitlines()
    by_apt = {re.sub(r"^/(bin|sbin|lib|lib64)/", r"/usr/\1/", path) for path in listed}
    return sorted(new - by_apt)


def test_the_service_may_shut_the_box_down_and_nobody_else_may(box: Box) -> None:
    box.write("/etc/vander/vander.env", f"VANDER_PORT={PORT}\nVANDER_CAMERA=virtual\n")
    install(box)
    asking = "from vander.box.health_monitor import power_off; power_off()"
    python = "/opt/vander/now/venv/bin/python"
    refused = box.do("runuser", "-u", "nobody", "--", python, "-c", asking, check=False)
    assert "PowerOffFailed: The box cannot be shut down from here" in refused.err
    assert box.is_on
    assert ask("/api/box/power-off", {"sure": True}) == {"done": True}
    box.power.wait(60)
    assert box.power.returncode == 0
