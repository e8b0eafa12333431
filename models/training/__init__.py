"""Training of the models: pictures, networks, training loops and export. Needs the `train` extra."""
