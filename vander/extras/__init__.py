"""What a table can do without: each room adds to the game at the table, and the table knows none of them."""
