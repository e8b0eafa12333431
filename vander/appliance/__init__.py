"""The box itself: its heartbeat, its panel, its power, and the one program that may use its data folder."""
