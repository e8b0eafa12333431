"""Protocols: what the pages need of the running program."""
