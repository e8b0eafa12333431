"""QR codes of the page's addresses: as a drawing for the pages, and as text for a terminal."""

from __future__ import annotations

from io import BytesIO, StringIO

import segno

QUIET_MODULES = 4
"""The light margin that ISO/IEC 18004 asks for, in modules."""


def qr_svg(text: str) -> bytes:
    """Return a text as a QR code: dark on light in every theme, since many phones read no inverted one."""
    drawing = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawing, kind="svg", scale=8, border=QUIET_MODULES, dark="#000", light="#fff", omitsize=True)
    return drawing.getvalue()


def qr_terminal(text: str) -> str:
    """Return a text as a QR code of half blocks, two modules a character, with the terminal's colour codes."""
    drawing = StringIO()
    segno.make(text, error="l", micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue()
