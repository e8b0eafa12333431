"""Open what the settings name: games and die sets, models, and the stores of the data folder.

A layer of its own, below every command and service that opens these things (the program, `vander bench`, the doctor,
the command line) and above the rooms whose stores it opens. `game_catalog` imports neither numpy nor a database, so
that `vander check` starts fast.
"""
