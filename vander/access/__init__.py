"""Pairing of tablets: the code, the registry of paired tablets, and requests from the box itself."""

from vander.access.pairing import PairingService

__all__ = ["PairingService"]
