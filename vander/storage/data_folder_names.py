"""The names of all files that Vander writes into its data folder: the one list that backups and file modes go by.

Whoever writes a new file there adds its name here; tests/vander/cli/test_data_folder.py plays, teaches and compares.
"""

from __future__ import annotations

import re

JOURNAL = "journal.sqlite"
WEBHOOK_QUEUE = "webhooks.sqlite"
"""Messages that wait for other programs: of this box and this moment, so that no backup holds them. Nor does one hold
`webhooks.toml`: it has secrets, and a backup that somebody made up could send the players' names anywhere by it."""
HALL_FILE = "hall.json"
"""The table's hall, with the key that it gave."""
CAMERA_FILE = "camera.json"
"""The camera that was chosen on the page; its address in the network may hold a password."""
RECORDINGS_DIR = "recordings"
"""Where an owner puts films that are to be played as a camera. They are no files of Vander's, and in no backup."""
RESTORE_DIR, PREVIOUS_DIR = ".restore", "before-restore"
"""The folder in which a restore is prepared, and the one that keeps what the last restore replaced."""

_PLAIN = r"[a-z0-9][a-z0-9-]{0,59}"
"""A die set's name: models/file_safe_names.py."""
_SAMPLE = r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}"
"""The name of a capture session, a sample or a frame: models/dataset/samples.py."""
_SESSIONS = rf"sessions/{_SAMPLE}/(session\.toml|dice\.jsonl|crops/{_SAMPLE}\.png|frames/{_SAMPLE}\.jpg)"
_ARRIVED = rf"captured/arrived-[0-9a-f]{{8}}/({_SESSIONS}|labels/{_SAMPLE}/dice\.jsonl)"
"""A complete import that is moved in at the next start: models/dataset/import_staging.py."""

KEPT = (
    re.escape(JOURNAL),
    r"settings\.toml",
    r"choices\.toml",
    r"certificate\.jsonl",
    r"tablets\.json",
    r"tablets\.damaged-[0-9]{1,9}\.json",
    r"sheets/[a-z0-9]+(-[a-z0-9]+)*\.toml",
    rf"dice/{_PLAIN}\.toml",
    rf"lessons/{_PLAIN}/([0-9]{{4,9}}\.npz|in-use)",
    rf"features/{_PLAIN}(\.damaged)?\.jsonl",
    r"evidence/game-[0-9]+-entry-[0-9]+\.jpg",
    r"captured/about\.toml",
    rf"captured/{_SESSIONS}",
    _ARRIVED,
    r"voices/[0-9a-f]{8}/(voice\.toml|[a-z]{2,3}/[A-Za-z0-9][A-Za-z0-9.-]{0,39}\.wav)",
)
"""Patterns of the files that a backup holds; each matches whole names relative to the data folder."""
UNFINISHED = (rf"captured/(coming-[0-9a-f]{{8}}|gone-{_SAMPLE})(/(?!\.\.?(/|$))[^/]+)+",)
"""What a power cut left of an import or a deletion. Earlier versions packed it; nobody wants it back."""
LOCAL = (
    r"running\.lock",
    r"box\.key",
    rf"{re.escape(JOURNAL)}-(wal|shm|journal)",
    rf"{re.escape(JOURNAL)}\.(before-[0-9]+|unread-log)",
    r"journal\.count",
    r"webhooks\.toml",
    rf"{re.escape(WEBHOOK_QUEUE)}(-(wal|shm|journal))?",
    r"tray\.json",
    r"corners\.json",
    r"die-sizes\.json",
    re.escape(CAMERA_FILE),
    re.escape(HALL_FILE),
    r"mqtt-node",
    rf"({re.escape(RESTORE_DIR)}|{PREVIOUS_DIR})/.+",
    r"captured/\.latch",
    r"https/(authority\.(key|crt)|server\.pem)",
    r"films/game-[0-9]+-entry-[0-9]+\.film",
    r"vander-backup-[0-9]{8}-[0-9]{6}\.zip",
)
"""Files of Vander that are in no backup: made again at a start or a restore, of one box alone, or copies."""

_PART = r"(\.part)?"
_KEPT = re.compile("|".join(KEPT), re.ASCII)
_UNFINISHED = re.compile("|".join(UNFINISHED), re.ASCII)
_OURS = re.compile(f"({'|'.join((*KEPT, *UNFINISHED, *LOCAL))}){_PART}", re.ASCII | re.DOTALL)
FOLDERS = frozenset(
    {
        "captured",
        "dice",
        "evidence",
        "features",
        "films",
        "https",
        "lessons",
        "sheets",
        "voices",
        RESTORE_DIR,
        PREVIOUS_DIR,
    }
)
"""The folders of Vander in its data folder."""


def is_backed_up(name: str) -> bool:
    """True if a backup holds a file of this name, relative to the data folder."""
    return bool(_KEPT.fullmatch(name))


def is_unfinished(name: str) -> bool:
    """True if the file is what a power cut left of an import or a deletion."""
    return bool(_UNFINISHED.fullmatch(name))


def is_ours(name: str) -> bool:
    """True if Vander writes a file of this name, whether a backup holds it or not."""
    return bool(_OURS.fullmatch(name))
