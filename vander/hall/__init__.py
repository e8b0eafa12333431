"""The hall: it takes the entries of many tables into PostgreSQL, each once, and replays them through the referee."""
