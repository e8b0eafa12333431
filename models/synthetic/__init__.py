"""Drawings of every die face, and a renderer of solid dice. No font or picture file is used."""
