"""What measures Vander and no user runs: accuracy, speed, fair play, load, crashes. It is not installed."""
