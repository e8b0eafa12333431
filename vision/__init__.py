"""From a frame to an observation: calibrate, rectify, find, read, track. Vision is given its weights and its layout."""
