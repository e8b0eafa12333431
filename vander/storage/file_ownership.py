"""Give files that root writes into a user's data folder to that user."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain
from pathlib import Path


def match_owner(folder: Path, *paths: Path) -> None:
    """Give these paths, with all that is in them, the owner of `folder`; does nothing unless root. Raises OSError.

    Without it `sudo vander restore` would leave the service a folder that it may not write.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    owner = folder.stat()
    for path in _all(paths):
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _all(paths: Iterable[Path]) -> Iterable[Path]:
    return chain.from_iterable(chain((path,), path.rglob("*")) for path in paths)
