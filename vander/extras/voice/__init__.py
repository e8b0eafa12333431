"""The caller's voice: what is said in each language, and the rendering of its clips by a program that speaks."""
