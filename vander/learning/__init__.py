"""Learning from people: dice are captured, labelled and learned, and accuracy is measured."""
