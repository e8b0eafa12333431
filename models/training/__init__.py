"""The training that makes the weights: pictures, networks, fitting and export. Needs the `train` extra."""
