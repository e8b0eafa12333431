"""The door: which tablets may decide, the code that lets one in, and asking for it on the box itself."""

from vander.access.pairing import PairingService

__all__ = ["PairingService"]
