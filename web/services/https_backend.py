"""What the pages ask of https: where it is served, and the box's own authority that a phone may install."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class BoxAuthority:
    """The box's own certificate authority: its certificate as PEM, and its SHA-256 as phones show it."""

    certificate_pem: bytes
    fingerprint: str


class HttpsBackend(Protocol):
    """Https of the running program. Any thread may call any method."""

    def urls(self) -> Sequence[str]:
        """Return the addresses by which phones reach the page by https, the best for a QR code first."""

    def authority(self) -> BoxAuthority | None:
        """Return the box's own authority, None where the owner gave a certificate. Raises Refused (UNAVAILABLE)."""

    def trouble(self) -> str:
        """Return why phones refuse the certificate that the owner gave, in one sentence; '' where they need not."""
