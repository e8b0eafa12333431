"""The models: weights with their cards, die sets, the drawings of faces, and the training that makes the weights."""
