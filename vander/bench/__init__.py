"""`vander bench`: score labelled photographs and clips next to the usual ways, and time frames, games and lessons."""
