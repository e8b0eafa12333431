"""Tournaments of a club: who meets whom, what results lead to, and who comes next to a table. Values and functions.

No clock, no database and no page: times are arguments, lots are drawn by a number that is kept, and every change
returns a new `Tournament`.
"""
