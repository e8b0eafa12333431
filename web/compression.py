"""Compression of pages and JSON; the files of the pages are compressed by `web/static_files.py`, once."""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress

from web.endpoint_decorators import HTML, JSON, MANIFEST, SCRIPT, SVG


def compress_answers(app: Flask) -> None:
    """Compress text answers of 500 bytes and more with gzip.

    Live events, pictures and films are sent as they are: an event may not wait in a buffer, and the others have formats
    that compress. gzip alone, since browsers offer nothing better to a table that they reach over plain HTTP.
    """
    app.config.update(
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_MIMETYPES=[HTML, JSON, MANIFEST, SCRIPT, SVG],
        COMPRESS_MIN_SIZE=500,
        COMPRESS_STREAMS=False,
    )
    Compress(app)
