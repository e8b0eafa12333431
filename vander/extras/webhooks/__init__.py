"""Webhooks: signed messages about the game to other programs, kept on disk until each receiver has taken them."""
