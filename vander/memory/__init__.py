"""What the table remembers: its players, and what can be counted of their games."""
