"""Throws files that nobody would write at one of Vander's inputs, for so many minutes, guided by what they reach.

    PYTHONPATH=build/box/fuzz/atheris .venv/bin/python bench/box/fuzz/fuzz.py records --minutes 20 --corpus FOLDER

The inputs are records, pictures, archives and kept (what lies in the data folder, a backup too). What an input lets out
that is no sentence is a finding: the file goes to CORPUS.found with its traceback, once for each place in the code.
The last line is a JSON object with the figures; the exit status is 1 when there was a finding.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[3]))

import atheris

if TYPE_CHECKING:  # else it would be imported before it can be instrumented
    from bench.box.fuzz.file_inputs import FileInput

SLOW_S = 20
"""An input that takes longer is a finding: the program ends there, and leaves it beside the others."""
MOST_MB = 3000
WRITTEN_EVERY_S = 3
WATCHED = {
    "records": (
        "referee",
        "vander.cli.open_records",
        "vander.cli.import_record",
        "vander.cli.check",
        "vander.table.match",
    ),
    "pictures": ("vision.frames",),
    "archives": ("models.dataset", "vision.frames", "models.die_sets"),
    "kept": ("vander", "models.die_sets", "referee.games.dice_county_fair", "tomllib"),
}
"""The inputs, and the modules behind each whose branches the fuzzer follows."""


class Findings:
    """What came out of an input that is no sentence; one file for each place in the code."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.places: dict[str, int] = {}

    def note(self, contents: bytes, error: BaseException) -> None:
        """Keep the input with its traceback, the first time."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        ours = [f for f in traceback.extract_tb(error.__traceback__) if "/tests/" not in f.filename][-3:]
        place = f"{type(error).__name__} at {' > '.join(f'{Path(f.filename).name}:{f.lineno}' for f in (*ours, last))}"
        self.places[place] = self.places.get(place, 0) + 1
        if self.places[place] == 1:
            self._folder.mkdir(parents=True, exist_ok=True)
            name = hashlib.sha256(place.encode()).hexdigest()[:12]
            (self._folder / name).write_bytes(contents)
            (self._folder / f"{name}.txt").write_text("".join(traceback.format_exception(error)))
            print(f"finding: {place}: {error}"[:400], file=sys.stderr, flush=True)


class Tries:
    """One try after another at an input.

    What they come to is written down every few seconds, since the fuzzer ends the process when its time is over.
    """

    def __init__(self, name: str, file_input: FileInput, folder: Path, corpus: Path) -> None:
        self._name, self._input, self._folder, self._corpus = name, file_input, folder, corpus
        self._findings = Findings(beside(corpus, ".found"))
        self._sown = self._sow()
        self._tried = self._taken = 0
        self._began = self._written = time.monotonic()

    def one(self, contents: bytes) -> None:
        """Try this file."""
        self._tried += 1
        try:
            self._taken += self._input.takes(contents, self._folder)
        except Exception as error:
            self._findings.note(contents, error)
        if time.monotonic() - self._written > WRITTEN_EVERY_S:
            self._written = time.monotonic()
            self.write()

    def write(self) -> None:
        """Put the figures beside the corpus."""
        figures = {
            "input": self._name,
            "seeds": self._sown,
            "tried": self._tried,
            "taken": self._taken,
            "minutes": round((time.monotonic() - self._began) / 60, 1),
            "corpus": sum(1 for _ in self._corpus.iterdir()),
            "findings": self._findings.places,
        }
        beside(self._corpus, ".json").write_text(json.dumps(figures))

    def _sow(self) -> int:
        self._corpus.mkdir(parents=True, exist_ok=True)
        seeds = list(self._input.seeds())
        for seed in seeds:
            (self._corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
        return len(seeds)


def beside(corpus: Path, ending: str) -> Path:
    """A file or folder beside the corpus."""
    return corpus.with_name(f"{corpus.name}{ending}")


def fuzz(name: str, minutes: float, seed: int, corpus: Path) -> None:
    """Try until the time is over; the process ends then."""
    with atheris.instrument_imports(include=[*WATCHED[name]]):
        from bench.box.fuzz import file_inputs
    file_inputs.without_wishes()
    with file_inputs.scratch() as folder:
        tries = Tries(name, file_inputs.INPUTS[name], folder, corpus)
        tries.write()
        words = [
            sys.argv[0],
            str(corpus),
            f"-max_total_time={round(60 * minutes)}",
            f"-max_len={file_inputs.INPUTS[name].longest}",
            f"-timeout={SLOW_S}",
            f"-rss_limit_mb={MOST_MB}",
            f"-seed={seed}",
            f"-artifact_prefix={beside(corpus, '.found')}/slow-or-dead-",
            "-verbosity=0",
        ]
        atheris.Setup(words, tries.one)
        atheris.Fuzz()


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", choices=sorted(WATCHED))
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, required=True)
    given = parser.parse_args()
    beside(given.corpus, ".found").mkdir(parents=True, exist_ok=True)
    child = os.fork()  # the fuzzer ends its process itself, without a word
    if not child:
        fuzz(given.input, given.minutes, given.seed, given.corpus)
    _, status = os.waitpid(child, 0)
    figures = json.loads(beside(given.corpus, ".json").read_text())
    figures["seed"], figures["ended"] = given.seed, os.waitstatus_to_exitcode(status)
    figures["slow_or_dead"] = sorted(path.name for path in beside(given.corpus, ".found").glob("slow-or-dead-*"))
    print(json.dumps(figures), flush=True)
    sys.exit(1 if figures["findings"] or figures["slow_or_dead"] or figures["ended"] else 0)


if __name__ == "__main__":
    main()
