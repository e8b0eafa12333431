"""Crash test of the whole program: kill it at random moments, let disk calls fail at random, and restart it.

After every blow the journal and the files are held against all that any page was shown.
"""

from __future__ import annotations

import errno
import json
import random
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any

from bench.box.crash import disk_switch, shown
from bench.box.crash.disk_switch import DiskSwitch, Failure
from bench.box.crash.shown import NOTHING, Kept, Moment, Moments
from bench.box.soak.guest import Guest
from bench.box.soak.served import Assistant, Json, Listener, NotServed, Tablet, Unanswered
from vander.resources.models_and_stores import LoadedModels

SETTINGS = 'game = "intersection"\n'
LONGEST_GAME = 40
"""Steps: short games, so that many are begun and left."""
LONGEST_LIFE_S = 25.0
MOST_WRITES = 120
"""At most so many calls that change the disk pass before a kill at one: some four throws with their pictures."""
GOES_ON_S = 60.0
"""So long it may take until something is played again after a failure; a throw takes some seconds."""
WELL_AGAIN_S = 30.0
MOST_UNFINISHED = 4
"""So many half-written files may lie about at any time: the next start or write takes them away."""
MOST_BARREN = 4
"""So many long lives after another may bring nothing: the guest plays at random, and errs."""
TAPS = ("/api/act", "/api/answer", "/api/undo", "/api/correct", "/api/game", "/api/teaching/choices")
QUOTAS = (100, 200, 500, 1000, 5000)


@dataclass
class Told:
    """What came of it: counts, and in `faults` a sentence for everything that must not be.

    `unseen`: how many entries were on disk and not shown yet; `gave_way`: pictures that went while the disk was full.
    """

    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    start_s: list[float] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    failed_calls: int = 0
    said: Counter[str] = field(default_factory=Counter)
    moments_shown: int = 0
    entries: int = 0
    games: int = 0
    unseen: Counter[int] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    unfinished: int = 0
    gave_way: int = 0
    log: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def in_words(self) -> str:
        """All of it, for a person."""
        starts = sorted(self.start_s) or [0.0]
        numbers = {**vars(self), "start_s": f"median {starts[len(starts) // 2]:.1f}, longest {starts[-1]:.1f}"}
        return json.dumps(numbers, indent=1)


class Audience:
    """All that pages were shown since the assistant was started: over a live stream, and as answers to taps."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._heard: list[Moment] = []
        self._answered: list[Moment] = []
        self._breaches: set[str] = set()
        self._pictures: set[str] = set()
        self.notices: Counter[str] = Counter()

    def hear(self, snapshot: Mapping[str, Any]) -> None:
        """A live event."""
        self._take_in(snapshot, self._heard)

    def answered(self, _path: str, status: int, answer: Json) -> None:
        """An answer to a request; only snapshots count."""
        if status == 200 and "turn_points" in answer:
            self._take_in(answer, self._answered)

    def _take_in(self, snapshot: Mapping[str, Any], row: list[Moment]) -> None:
        with self._lock:
            row.append(shown.moment(snapshot))
            if snapshot["mood"] == "breach":
                self._breaches.add(snapshot["notice"])
            if snapshot["evidence"]:
                self._pictures.add(snapshot["evidence"])
            if snapshot["mood"] == "lost":
                self.notices[snapshot["notice"]] += 1
            for words in snapshot["extras"].values():
                if "kept" in words or "disk" in words or "card" in words:
                    self.notices[words] += 1

    def all(self) -> tuple[list[Moment], list[Moment], set[str], set[str]]:
        """What was shown: over the stream, as answers, the breaches, the pictures."""
        with self._lock:
            return list(self._heard), list(self._answered), set(self._breaches), set(self._pictures)


class DieVerdict:
    """Decides when the plug is pulled: at any moment, just after a tap, while dice come to rest, or at a write."""

    KINDS = ("clock", "tap", "throw")

    def __init__(self, assistant: Assistant, rng: random.Random, disk: DiskSwitch | None = None) -> None:
        self._assistant, self._rng, self._disk = assistant, rng, disk
        self.struck = Event()
        self.kind = rng.choice((*self.KINDS, "write") if disk else self.KINDS)
        self._passed = rng.randint(0, 5 if self.kind == "tap" else 1)
        self._timers = [self._timer(rng.uniform(0.1, 10.0) if self.kind == "clock" else LONGEST_LIFE_S)]
        if self.kind == "write" and disk:
            self.struck.set()
            disk.kill_after(rng.randint(0, MOST_WRITES), half=rng.random() < 0.5)

    def before(self, path: str) -> None:
        """A request is about to be sent."""
        if self.kind == "tap" and path in TAPS:
            self._draw_near(self._rng.uniform(0.0, 0.06))
        elif self.kind == "throw" and path == "/api/tray/throw":
            self._draw_near(self._rng.uniform(0.8, 4.5))

    def over(self) -> None:
        """It has happened."""
        for timer in self._timers:
            timer.cancel()
        if self._disk:
            self._disk.heal()

    def _draw_near(self, delay: float) -> None:
        self._passed -= 1
        if self._passed == -1:
            self._timers.append(self._timer(delay))

    def _strike(self) -> None:
        self.struck.set()
        self._assistant.kill()

    def _timer(self, delay: float) -> Timer:
        timer = Timer(delay, self._strike)
        timer.daemon = True
        timer.start()
        return timer


class Ordeal:
    """One assistant with one data folder, which goes through many lives."""

    def __init__(self, folder: Path, port: int, seed: int, models: LoadedModels, built: Path | None = None) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "settings.toml").write_text(SETTINGS)
        self._port = port
        self._rng = random.Random(seed)  # noqa: S311  # chance, not secrets
        self._disk = DiskSwitch(built, folder, folder.with_name("switch")) if built else None
        self._assistant = Assistant(folder, port, **(self._disk.environment if self._disk else {}))
        self._guest = Guest(Tablet(port), folder, self._rng, models, longest=LONGEST_GAME)
        self._moments = Moments()
        self._choices: set[int] = set()
        self._gave_way: set[str] = set()
        self._was_full = False
        self._barren = 0
        self._read_log = 0
        self.told = Told(seed)

    # Killing

    def be_killed(self, times: int) -> Told:
        """Be killed so often, and look after each time."""
        before = Kept((), frozenset())
        while sum(self.told.kills.values()) < times:
            before = self._one_life(before)
        return self.told

    def _one_life(self, before: Kept) -> Kept:
        if self._rng.random() < 0.06:
            return self._die_while_starting(before)
        audience, began = Audience(), 0.0
        self._start()
        fate = DieVerdict(self._assistant, self._rng, self._disk)
        with self._attended(audience, fate):
            with suppress(Unanswered):
                self._look_unchanged(before)
                began = time.monotonic()
                while True:
                    self._step()
            if not fate.struck.is_set():
                self.told.faults.append("the assistant stopped answering before anybody killed it")
            fate.over()
            self._assistant.kill()
        self.told.kills[fate.kind] += 1
        after = self._look(before, audience)
        self._note_barren(before, after, time.monotonic() - began)
        return after

    def _die_while_starting(self, before: Kept) -> Kept:
        timer = Timer(self._rng.uniform(0.3, 4.0), self._assistant.kill)
        timer.start()
        with suppress(NotServed):
            self._start()
        timer.join()
        self._assistant.kill()
        self.told.kills["start"] += 1
        return self._look(before, Audience())

    def _start(self) -> None:
        self.told.start_s.append(round(self._assistant.start(), 2))
        self.told.starts += 1

    @contextmanager
    def _attended(self, audience: Audience, fate: DieVerdict | None = None) -> Iterator[None]:
        """A stream listens and a guest's tablet is at hand."""
        self._guest.tablet = Tablet(self._port, fate.before if fate else lambda _: None, audience.answered)
        listener = Listener(self._port, audience.hear)
        try:
            yield
        finally:
            listener.close()
            self.told.statuses.update(self._guest.tablet.statuses)
            self.told.refusals.update(self._guest.tablet.refusals)

    def _step(self) -> None:
        if self._rng.random() < 0.1:
            self._choose()
        self._guest.step()

    def _choose(self) -> None:
        """Choose something on the page of the dice: what was answered with 200 is kept for good."""
        quota = self._rng.choice(QUOTAS)
        in_flight = self._choices | {quota}
        before, self._choices = self._choices, in_flight
        words = {"keep_play": True, "quota_mb": quota, "check_one_in": 3}
        status, _ = self._guest.tablet.tell("/api/teaching/choices", **words)
        self._choices = {quota} if status == 200 else before | {quota}

    # Looking

    def _look_unchanged(self, before: Kept) -> None:
        """After a start the page shows what the journal says, and nothing is recorded of dice that merely lie there."""
        _, now = self._guest.tablet.look("/api/snapshot")
        wanted = self._moments.of(before)[-1] if before.going_on else NOTHING
        self._must(shown.moment(now) == wanted, f"the page shows another moment after a start: {now['last'][:2]}")
        time.sleep(self._rng.uniform(0.0, 2.5))
        self._guest.tablet.look("/api/snapshot")
        entries = shown.lying(self.folder).entries
        self._must(entries == before.entries, f"a start alone wrote entries: {entries[len(before.entries) :]}")

    def _look(self, before: Kept, audience: Audience, alive: bool = False) -> Kept:
        """Hold what lies on disk against what lay there before and what was shown since."""
        with self._noting("the journal"):
            after = shown.lying(self.folder) if alive else shown.kept(self.folder)
            self._same_as_before(before, after)
            self._hold_against(before, after, audience)
            self._look_at_files()
            self._read_the_log()
            self.told.entries, self.told.games = len(after.entries), len(after.games)
            return after
        return before

    def _same_as_before(self, before: Kept, after: Kept) -> None:
        for (game, entries), (now, further) in zip(before.games, after.games, strict=False):
            same = game.players == now.players and further[: len(entries)] == entries
            self._must(same, f"game {game.number} is not what it was")
        self._must(len(after.games) >= len(before.games), "games are lost")

    def _hold_against(self, before: Kept, after: Kept, audience: Audience) -> None:
        moments = self._moments.of(after)
        since = len(self._moments.of(before)) - 1
        heard, answered, breaches, pictures = audience.all()
        self.told.moments_shown += len(heard) + len(answered)
        places = [since]
        for row in (heard, answered):
            after_nothing = [one for one in row if one != NOTHING] if before.going_on is None else row
            with self._noting("what was shown"):
                places.append(shown.followed(after_nothing, moments, since))
        self.told.unseen[len(moments) - 1 - max(places)] += 1
        self._must(breaches <= after.breaches(), f"breaches were shown and not kept: {breaches - after.breaches()}")
        lost = (pictures | after.named_pictures()) - after.pictures - self._gave_way
        self._must(not lost or self._was_full, f"pictures are lost: {sorted(lost)}")
        self._gave_way |= lost

    def _look_at_files(self) -> None:
        torn = shown.torn_pictures(self.folder)
        self._must(not torn, f"pictures are torn: {torn}")
        unfinished = shown.unfinished(self.folder)
        self.told.unfinished = max(self.told.unfinished, len(unfinished))
        self._must(len(unfinished) <= MOST_UNFINISHED, f"unfinished files pile up: {unfinished}")
        self._must((self.folder / "settings.toml").read_text() == SETTINGS, "settings.toml has changed")
        chosen = self.folder / "choices.toml"
        if self._choices and chosen.exists():
            quota = tomllib.loads(chosen.read_text("utf-8"))["quota_mb"]
            self._must(quota in self._choices, f"{quota} was never chosen; {self._choices} were")

    def _read_the_log(self) -> None:
        lines = self._assistant.said()
        for line in lines[self._read_log :]:
            if "Vander is ready" not in line:
                self.told.log[line.partition(",")[2][4:].strip()[:160] if line[:2] == "20" else line[:160]] += 1
            self._must("Traceback" not in line, f"a traceback in the log, after line {self._read_log}")
            self._must("The journal lacks" not in line, f"the count is ahead of the journal: {line}")
        self._read_log = len(lines)

    def _note_barren(self, before: Kept, after: Kept, seconds: float) -> None:
        if after.entries != before.entries:
            self._barren = 0
        elif seconds > 8:
            self._barren += 1
        self._must(self._barren < MOST_BARREN, "the game does not go on")

    def _must(self, holds: bool, sentence: str) -> None:
        if not holds:
            blow = f"kill {sum(self.told.kills.values())}, failure {sum(self.told.failures.values())}"
            self.told.faults.append(f"{blow}: {sentence}"[:600])

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        try:
            yield
        except (AssertionError, RuntimeError, ValueError) as wrong:
            self._must(False, f"{what}: {wrong}")

    # A failing disk

    def have_a_sick_disk(self, times: int) -> Told:
        """Play with a disk that fails so often, each time in another way, and is well again afterwards."""
        before = Kept((), frozenset())
        while sum(self.told.failures.values()) < times:
            before = self._life_with_a_sick_disk(before, times)
        return self.told

    def _life_with_a_sick_disk(self, before: Kept, times: int) -> Kept:
        """Some failures, and then a kill, sometimes while the disk is still sick."""
        audience = Audience()
        self._start()
        with self._attended(audience):
            try:
                self._look_unchanged(before)
                for _ in range(self._rng.randint(2, 8)):
                    if sum(self.told.failures.values()) < times:
                        self._fall_ill(before, audience)
                dies_ill = self._rng.random() < 0.3
                if dies_ill:
                    illness = self._illness()
                    self._was_full |= illness.error == errno.ENOSPC
                    self._switch().sicken(illness)
                    self._step()
            except Unanswered as gone:
                self._must(False, f"the assistant is gone, or hangs: {gone}")
            self._assistant.kill()
            self._switch().heal()
        self.told.kills["sick disk"] += 1
        after = self._look(before, audience)
        self.told.gave_way, self._was_full = len(self._gave_way), False
        return after

    def _fall_ill(self, before: Kept, audience: Audience) -> None:
        failure = self._illness()
        self._was_full = failure.error == errno.ENOSPC
        entries = shown.lying(self.folder).entries
        notices, refusals = Counter(audience.notices), Counter(self._guest.tablet.refusals)
        self._switch().sicken(failure)
        ends = time.monotonic() + self._rng.uniform(2.0, 9.0)
        while time.monotonic() < ends:
            self._step()
        self._switch().heal()
        failed = self._switch().failed
        if not failed:
            return
        self.told.failures[str(failure).partition(" after")[0]] += 1
        self.told.failed_calls += failed
        self._note_what_was_said(audience.notices - notices, self._guest.tablet.refusals - refusals)
        with self._noting(str(failure)):
            self._hold_against(before, shown.lying(self.folder), audience)
            self._must(self._goes_on(entries), f"after {failure} nothing is played any more")
            self._read_the_log()

    def _note_what_was_said(self, notices: Counter[str], refusals: Counter[str]) -> None:
        bad = [refusal for refusal in refusals if refusal[0] == "5" and not refusal.startswith("503 ")]
        self._must(not bad, f"answers that no sentence explains: {bad}")
        self._must("503 (no sentence)" not in refusals, "a 503 without a sentence")
        refused = [refusal for refusal in refusals if refusal.startswith("503 ")]
        self.told.said["refused with a sentence"] += bool(refused)
        self.told.said["told on the page"] += bool(notices)
        self.told.said["nothing that a player would notice"] += not refused and not notices
        for words in (*refused, *notices):
            self.told.log[f"said: {words}"[:200].replace(str(self.folder), "FOLDER")] += 1

    def _goes_on(self, entries: list[tuple[int, int]]) -> bool:
        """Play until something new is in the journal."""
        until = time.monotonic() + GOES_ON_S
        while time.monotonic() < until:
            self._step()
            if shown.lying(self.folder).entries != entries:
                return True
        return False

    def _switch(self) -> DiskSwitch:
        assert self._disk is not None
        return self._disk

    def _illness(self) -> Failure:
        kinds = self._rng.choice([disk_switch.ALL_WRITING] * 4 + [1, 2, 4, 8, 16, disk_switch.READ])
        after = self._rng.choice([0, 0, self._rng.randint(1, 30)])
        return Failure(kinds, after, self._rng.choice([errno.EIO, errno.ENOSPC]), self._rng.choice([0, 0, 1, 3]))

    def start_ill(self, times: int) -> Told:
        """Start so often on a disk that fails meanwhile: it comes up, or says in one sentence why not."""
        for _ in range(times):
            said = len(self._assistant.said())
            failure = Failure(disk_switch.ALL_WRITING, self._rng.randint(0, 12), self._rng.choice([5, 28]), 0)
            self._switch().sicken(failure)
            try:
                self._start()
            except NotServed:
                lines = self._assistant.said()[said:]
                one = len(lines) == 1 and lines[0].startswith("vander: ")
                self._must(one, f"starting with {failure} it said: {lines[-3:]}")
                self.told.said["did not start, and said why"] += 1
            else:
                self.told.said["started all the same"] += 1
            self._assistant.kill()
            self._switch().heal()
            self.told.failures[str(failure).partition(" after")[0]] += 1
            self._look(Kept((), frozenset()), Audience())
        return self.told


def ordeal(port: int, seed: int, built: Path | None = None) -> Ordeal:
    """An assistant in a new temporary folder."""
    return Ordeal(Path(tempfile.mkdtemp()) / "data", port, seed, LoadedModels.load(), built)
