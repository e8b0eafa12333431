"""Two hours at the table: whole games of every game at the virtual tray, and what the assistant takes meanwhile.

    python bench/box/soak/soak.py --minutes 120 --folder /tmp/soak --port 8320

The assistant runs as a process of its own with its own data folder and with the service's memory setting; a guest plays
over HTTP, two tablets listen all the time, and eight come, listen and leave. Every half minute a line goes to
FOLDER/samples.jsonl; the verdict is printed at the end, its figures in one line after it, and lies in
FOLDER/verdict.json. The exit status is 1 when something grew, or the assistant stumbled.

    python bench/box/soak/soak.py --folder /tmp/soak --again

prints the figures of a run that is over, or of one that is going on, from its samples.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[3]))

from bench.box.soak.guest import Guest
from bench.box.soak.served import Assistant, Listener, Tablet, Unanswered
from bench.box.soak.visitors import Visitor
from vander.resources.models_and_stores import LoadedModels

Row = Mapping[str, float]
SAMPLES = "samples.jsonl"
SAMPLE_S = 30.0
BLOCK_S = 300.0
"""Samples that follow each other are alike: the slope is drawn through the means of so long blocks."""
LATE_SHARE = 0.5
"""The last part of a run that is measured: what comes before warms up."""
FLAT = {"rss_mb": 5.0, "handles": 8.0, "threads": 2.0}
"""How far the blocks' means may lie apart in the measured part. Tablets that come and go move the handles. What is of
the process alone (USS) is no measure: it grows when another program ends that shared its libraries."""
FIXED_ALLOCATION = {"MALLOC_ARENA_MAX": "2"}
"""As the service has it: by itself the C library keeps freed memory apart for each thread that ever asked for some."""
VISITORS = 8
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


def late(rows: Sequence[Row]) -> list[Row]:
    """Return the samples of the measured part."""
    return [row for row in rows if row["seconds"] >= rows[-1]["seconds"] * LATE_SHARE]


def smoothed(rows: Sequence[Row], name: str) -> np.ndarray:
    """Return the means of blocks of samples, each with its time in hours."""
    blocks: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        block = int((row["seconds"] - rows[0]["seconds"]) // BLOCK_S)
        blocks.setdefault(block, []).append((row["seconds"] / 3600, row[name]))
    return np.array([np.mean(block, axis=0) for block in blocks.values()])


def slope(means: np.ndarray) -> tuple[float, float, float]:
    """Return the growth an hour by least squares through block means, with its 95 % interval."""
    if len(means) < 3:
        return math.nan, math.nan, math.nan
    hours, values = means.T
    away = hours - hours.mean()
    steep = float(away @ values / (away @ away))
    left = values - values.mean() - steep * away
    error = math.sqrt(float(left @ left) / (len(means) - 2) / float(away @ away))
    reach = _student(len(means) - 2) * error
    return steep, steep - reach, steep + reach


def figures(rows: Sequence[Row], name: str) -> dict[str, Any]:
    """Return what a quantity did in the measured part."""
    measured = late(rows)
    means, values = smoothed(measured, name), [row[name] for row in measured]
    return {
        "first": values[0],
        "last": values[-1],
        "least": min(values),
        "most": max(values),
        "per_hour": [round(each, 3) for each in slope(means)],
        "spread": round(float(np.ptp(means[:, 1])), 2),
    }


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's t (Cornish-Fisher, good to 1 % from three degrees of freedom on)."""
    z = 1.959964
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def verdict(rows: Sequence[Row]) -> dict[str, Any]:
    """Return what the samples say of a run."""
    measured = late(rows)
    took_s = max(rows[-1]["seconds"] - measured[0]["seconds"], 1.0)
    return {
        "minutes": round(rows[-1]["seconds"] / 60, 1),
        "measured_minutes": round(took_s / 60, 1),
        "samples": len(rows),
        **{name: figures(rows, name) for name in (*FLAT, "uss_mb", "journal_mb", "evidence_mb")},
        "cpu_share": round((rows[-1]["cpu_s"] - measured[0]["cpu_s"]) / took_s, 3),
    }


def done(
    guest: Guest, listeners: Sequence[Listener], visitors: Sequence[Visitor], assistant: Assistant
) -> dict[str, Any]:
    """Return what was played and how it was answered."""
    statuses = {str(status): count for status, count in sorted(guest.tablet.statuses.items())}
    log = [line for line in assistant.said() if "Vander is ready" not in line]
    return {
        "play": vars(guest.tally),
        "statuses": statuses,
        "refused": guest.tablet.refusals.most_common(12),
        "stumbled": sum(count for status, count in guest.tablet.statuses.items() if status >= 500),
        "events": [listener.heard for listener in listeners],
        "connections": [listener.connected for listener in listeners],
        "visits": sum((visitor.visits for visitor in visitors), Counter()),
        "unanswered": sum((visitor.unanswered for visitor in visitors), Counter()),
        "log_lines": len(log),
        "log": log[:20],
        "alive": assistant.alive,
    }


def sound(told: Mapping[str, Any]) -> list[str]:
    """Return what is wrong, a sentence each; nothing when all is flat."""
    wrong = []
    if math.isnan(told["rss_mb"]["per_hour"][0]):
        wrong.append("the run was too short: the measured half needs three blocks of five minutes")
    for name, most in FLAT.items():
        if told[name]["spread"] > most:
            wrong.append(f"{name} is not flat within {most:g}: {told[name]['spread']:g}")
    if told["unanswered"]:
        wrong.append(f"{sum(told['unanswered'].values())} requests of tablets that came and went were not answered")
    if told["stumbled"]:
        wrong.append(f"{told['stumbled']} answers were 5xx")
    if told["log_lines"]:
        wrong.append(f"{told['log_lines']} lines in the log")
    if not told["alive"]:
        wrong.append("the assistant died")
    return wrong


def one_line(told: Mapping[str, Any]) -> str:
    """Return the figures of the measured part as a line."""
    parts = [f"{told['minutes']:g} minutes, of which the last {told['measured_minutes']:g} are measured"]
    for name, unit in (("rss_mb", " MB"), ("uss_mb", " MB"), ("handles", ""), ("threads", "")):
        found = told[name]
        steep, least, most = found["per_hour"]
        parts.append(
            f"{name.removesuffix('_mb')} {found['least']:g} to {found['most']:g}{unit}, {steep:+.2f} an hour "
            f"({least:.2f} to {most:.2f}), within {found['spread']:g} after smoothing"
        )
    return "; ".join([*parts, f"{100 * told['cpu_share']:.0f} % of a core"])


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


def soak(given: argparse.Namespace) -> dict[str, Any]:
    """Play, and return all that is to be said of it."""
    assistant = Assistant(given.folder / "data", given.port, **FIXED_ALLOCATION)
    print(f"seed {given.seed}; the assistant started in {assistant.start():.1f} s, pid {assistant.pid}", flush=True)
    listeners = [Listener(given.port) for _ in range(2)]
    visitors = [Visitor(given.port, number, given.seed) for number in range(VISITORS)]
    samples = Samples(assistant, given.folder / SAMPLES)
    rng = random.Random(given.seed)  # noqa: S311  # play
    guest = Guest(Tablet(given.port), assistant.folder, rng, LoadedModels.load(), Pace(given.pace), LONGEST_GAME)
    try:
        guest.have_all_troubles()
        play(guest, given.minutes, assistant)
        samples.close()
        for who in (*visitors, *listeners):
            who.close()
        told = {**verdict(samples.rows), **done(guest, listeners, visitors, assistant)}
    finally:
        status = assistant.stop()
    return {**told, "exit_status": status, "wrong": sound(told)}


def again(folder: Path) -> None:
    """Print the figures of the samples in a folder."""
    rows = [json.loads(line) for line in (folder / SAMPLES).read_text("utf-8").splitlines()]
    print(one_line(verdict(rows)))


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder for the data and the samples")
    parser.add_argument("--port", type=int, default=8320)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pace", type=float, default=4.5, help="seconds from throw to throw, at least")
    parser.add_argument(
        "--again", action="store_true", help="print the figures of the folder's samples, and play nothing"
    )
    given = parser.parse_args()
    if given.again:
        again(given.folder)
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the assistant is not left behind
    told = soak(given)
    (given.folder / "verdict.json").write_text(json.dumps(told, indent=1))
    print(json.dumps(told, indent=1))
    print(one_line(told))
    sys.exit(1 if told["wrong"] else 0)


if __name__ == "__main__":
    main()
