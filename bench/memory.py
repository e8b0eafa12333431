"""How much memory the assistant keeps with glibc's arenas left alone, and with MALLOC_ARENA_MAX=2 as on the box.

    python bench/memory.py [--minutes 3] [--listeners 16] [--port 8340]

Two assistants with the virtual tray run side by side. Both are asked for the same pages and pictures by as many threads
as there are listeners, and their dice are thrown all the time. The figures are the resident memory of each at the end.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import psutil

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.box.soak.served import Assistant, Listener, Tablet, Unanswered

KINDS: Mapping[str, Mapping[str, str]] = {
    "arenas as glibc has them": {},
    "MALLOC_ARENA_MAX=2": {"MALLOC_ARENA_MAX": "2"},
}
PATHS = ("/", "/api/snapshot", "/view.jpg", "/api/games", "/static/table.js")


@contextmanager
def used(assistant: Assistant, listeners: int) -> Iterator[None]:
    """Keep an assistant busy: listeners, threads that ask for pages, and one that throws."""
    over = Event()
    threads = [Thread(target=_ask, args=(Tablet(assistant.port), over), daemon=True) for _ in range(listeners)]
    threads.append(Thread(target=_throw, args=(Tablet(assistant.port), over), daemon=True))
    streams = [Listener(assistant.port) for _ in range(listeners)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
        for stream in streams:
            stream.close()


def _ask(tablet: Tablet, over: Event) -> None:
    while not over.is_set():
        for path in PATHS:
            with suppress(Unanswered):
                tablet.fetch(path)
        over.wait(1.0)


def _throw(tablet: Tablet, over: Event) -> None:
    while not over.wait(2.0):
        with suppress(Unanswered):
            dice = tablet.look("/api/tray/dice")[1].get("dice", [])
            tablet.tell("/api/tray/throw", dice=[die["number"] for die in dice])


def measure(minutes: float, listeners: int, port: int) -> Mapping[str, float]:
    """Return the resident memory of each kind after that time, in MB."""
    with ExitStack() as until_measured:
        folder = Path(until_measured.enter_context(tempfile.TemporaryDirectory()))
        found = {}
        for number, (kind, environment) in enumerate(KINDS.items()):
            assistant = Assistant(folder / str(number), port + number, "toss-up", **environment)
            assistant.start()
            until_measured.callback(assistant.kill)
            until_measured.enter_context(used(assistant, listeners))
            found[kind] = assistant
        time.sleep(60 * minutes)
        return {kind: psutil.Process(assistant.pid).memory_info().rss / 1e6 for kind, assistant in found.items()}


def main() -> None:
    """Print the figures and their difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3.0)
    parser.add_argument("--listeners", type=int, default=16)
    parser.add_argument("--port", type=int, default=8340)
    words = parser.parse_args()
    figures = measure(words.minutes, words.listeners, words.port)
    for kind, megabytes in figures.items():
        print(f"{kind:28} {megabytes:7.1f} MB")
    plain, bounded = figures.values()
    print(f"{'difference':28} {plain - bounded:7.1f} MB ({bounded / plain:.2f} of the first)")


if __name__ == "__main__":
    main()
