"""`vander bench`: how well labelled photographs and clips are read, beside the usual ways, and how fast a frame is."""
