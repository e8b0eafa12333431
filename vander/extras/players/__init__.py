"""Players, past games and statistics: what the table keeps beyond the game in progress."""
