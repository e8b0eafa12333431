"""Two hours at the table: whole games of every game at the virtual tray, and what the assistant takes meanwhile.

    python tests/box/soak/soak.py --minutes 120 --folder /tmp/soak --port 8320

The assistant runs as a process of its own with its own data folder; a guest plays over HTTP, about a throw every five
seconds, and two tablets listen. Every half minute a line goes to FOLDER/samples.jsonl; the verdict is printed at the
end and lies in FOLDER/verdict.json. The exit status is 1 when something grew, or the assistant stumbled.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.box.soak.guest import Guest
from tests.box.soak.served import Assistant, Listener, Tablet, Unanswered
from vander.resources.vision_models import LoadedModels

SAMPLE_S = 30.0
BLOCK_S = 300.0
"""Samples that follow each other are alike: the slope is drawn through the means of so long blocks."""
WARM_UP_S = 1200.0
MOST_MB_AN_HOUR = 4.0
"""More than this, beyond doubt, is a leak: in a week it would be 700 MB."""
MB = 1_000_000
LONGEST_GAME = 200
"""Steps, so that games that have no end make room for others."""
NOBODY = 599
"""What a request counts as that nobody answered."""


class Samples:
    """What the assistant's process takes, looked at every half minute, each sample a line in a file."""

    def __init__(self, assistant: Assistant, path: Path) -> None:
        self._assistant, self._path = assistant, path
        self._process = psutil.Process(assistant.pid)
        self._began = time.monotonic()
        self.rows: list[dict[str, float]] = []
        self._over = Event()
        self._thread = Thread(target=self._run, name="samples", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take no more."""
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while self._assistant.alive:
            self._take()
            if self._over.wait(SAMPLE_S):
                return

    def _take(self) -> None:
        memory, times = self._process.memory_full_info(), self._process.cpu_times()
        folder = self._assistant.folder
        row = {
            "seconds": round(time.monotonic() - self._began, 1),
            "rss_mb": round(memory.rss / MB, 2),
            "uss_mb": round(memory.uss / MB, 2),
            "handles": self._process.num_fds(),
            "threads": self._process.num_threads(),
            "cpu_s": round(times.user + times.system, 1),
            "journal_mb": round(sum(_sizes(folder.glob("journal.sqlite*"))) / MB, 3),
            "evidence_mb": round(sum(_sizes((folder / "evidence").glob("*"))) / MB, 2),
            "evidence": sum(1 for _ in (folder / "evidence").glob("*")),
        }
        self.rows.append(row)
        with self._path.open("a") as file:
            print(json.dumps(row), file=file)
        print(json.dumps(row), flush=True)


def _sizes(paths: Any) -> list[int]:
    sizes = []
    for path in paths:
        try:
            sizes.append(path.stat().st_size)
        except FileNotFoundError:  # deleted between the listing and the look
            continue
    return sizes


def slope(rows: Sequence[Mapping[str, float]], name: str) -> tuple[float, float, float]:
    """The growth per hour by least squares through block means after the warm-up, with its 95 % interval."""
    blocks: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        if row["seconds"] >= min(WARM_UP_S, rows[-1]["seconds"] / 3):
            blocks.setdefault(int(row["seconds"] // BLOCK_S), []).append((row["seconds"] / 3600, row[name]))
    means = np.array([np.mean(block, axis=0) for block in blocks.values()])
    if len(means) < 3:
        return math.nan, math.nan, math.nan
    hours, values = means.T
    away = hours - hours.mean()
    steep = float(away @ values / (away @ away))
    left = values - values.mean() - steep * away
    error = math.sqrt(float(left @ left) / (len(means) - 2) / float(away @ away))
    reach = _student(len(means) - 2) * error
    return steep, steep - reach, steep + reach


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's t (Cornish-Fisher, good to 1 % from three degrees of freedom on)."""
    z = 1.959964
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def verdict(samples: Samples, guest: Guest, listeners: Sequence[Listener], assistant: Assistant) -> dict[str, Any]:
    """All that is to be said of the run."""
    rows = samples.rows
    statuses = {str(status): count for status, count in sorted(guest.tablet.statuses.items())}
    late = [row for row in rows if row["seconds"] >= min(WARM_UP_S, rows[-1]["seconds"] / 3)]
    log = [line for line in assistant.said() if "Vander is ready" not in line]
    return {
        "minutes": round(rows[-1]["seconds"] / 60, 1),
        "samples": len(rows),
        **{f"{name}_per_hour": [round(each, 3) for each in slope(rows, name)] for name in ("rss_mb", "uss_mb")},
        **{
            name: {"first": late[0][name], "last": late[-1][name], "most": max(row[name] for row in late)}
            for name in ("rss_mb", "uss_mb", "handles", "threads", "journal_mb", "evidence_mb")
        },
        **{f"{name}_per_hour": [round(each, 3) for each in slope(rows, name)] for name in ("handles", "threads")},
        "cpu_share": round(rows[-1]["cpu_s"] / max(rows[-1]["seconds"], 1), 3),
        "play": vars(guest.tally),
        "statuses": statuses,
        "refused": guest.tablet.refusals.most_common(12),
        "stumbled": sum(count for status, count in guest.tablet.statuses.items() if status >= 500),
        "events": [listener.heard for listener in listeners],
        "connections": [listener.connected for listener in listeners],
        "log_lines": len(log),
        "log": log[:20],
        "alive": assistant.alive,
    }


def sound(told: Mapping[str, Any]) -> list[str]:
    """What is wrong, a sentence each; nothing when all is flat."""
    wrong = []
    if math.isnan(told["rss_mb_per_hour"][1]):
        wrong.append("the run was too short for a slope: a quarter of an hour after the warm-up is the least")
    for name in ("rss_mb", "uss_mb"):
        if told[f"{name}_per_hour"][1] > MOST_MB_AN_HOUR:
            wrong.append(f"{name} grows by more than {MOST_MB_AN_HOUR} an hour beyond doubt")
    for name in ("handles", "threads"):
        if told[f"{name}_per_hour"][1] > 1 or told[name]["last"] > told[name]["first"] + 8:
            wrong.append(f"{name} grow")
    if told["stumbled"]:
        wrong.append(f"{told['stumbled']} answers were 5xx")
    if told["log_lines"]:
        wrong.append(f"{told['log_lines']} lines in the log")
    if not told["alive"]:
        wrong.append("the assistant died")
    return wrong


def play(guest: Guest, minutes: float, assistant: Assistant) -> None:
    """Play so long, or until the assistant is gone."""
    ends = time.monotonic() + 60 * minutes
    while time.monotonic() < ends and assistant.alive:
        try:
            guest.step()
        except Unanswered as gone:
            guest.tablet.refusals[str(gone)] += 1
            guest.tablet.statuses[NOBODY] += 1


class Pace:
    """Lets a moment pass after what the guest does, so that the tray does not take the machine."""

    def __init__(self, throw_s: float) -> None:
        self._throw_s, self._last = throw_s, time.monotonic()

    def __call__(self, what: str) -> None:
        """Wait: after a throw so long that the next one comes no sooner, after all else a moment."""
        pause = self._throw_s if what == "throw" else self._throw_s / 6
        time.sleep(max(0.0, self._last + pause - time.monotonic()))
        self._last = time.monotonic()


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder for the data and the samples")
    parser.add_argument("--port", type=int, default=8320)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pace", type=float, default=4.5, help="seconds from throw to throw, at least")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the assistant is not left behind
    assistant = Assistant(given.folder / "data", given.port)
    print(f"seed {given.seed}; the assistant started in {assistant.start():.1f} s, pid {assistant.pid}", flush=True)
    listeners = [Listener(given.port) for _ in range(2)]
    samples = Samples(assistant, given.folder / "samples.jsonl")
    rng = random.Random(given.seed)  # noqa: S311  # play
    guest = Guest(Tablet(given.port), assistant.folder, rng, LoadedModels.load(), Pace(given.pace), LONGEST_GAME)
    try:
        guest.have_all_troubles()
        play(guest, given.minutes, assistant)
        samples.close()
        told = verdict(samples, guest, listeners, assistant)
    finally:
        told_status = assistant.stop()
    for listener in listeners:
        listener.close()
    told["exit_status"] = told_status
    told["wrong"] = sound(told)
    (given.folder / "verdict.json").write_text(json.dumps(told, indent=1))
    print(json.dumps(told, indent=1))
    sys.exit(1 if told["wrong"] else 0)


if __name__ == "__main__":
    main()
