"""Print how often the test of the dice is right: false alarms on fair dice, and loaded dice that it finds.

Dice are simulated of which 12 % of the sixes are read as fours; what is known of that comes from 1000 checked dice.
Each share is printed with its Wilson interval at 95 %.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from vander.extras.players.dice_fairness import dice_needed, dice_needed_by_estimates, loaded
from vision.model_file import wilson_interval

sys.path[:0] = [str(Path(__file__).parents[1] / "tests/vander/extras/players")]
from test_dice_fairness import FAIR, TYPICAL, alarms  # noqa: E402 - the tests' own


def told(share: float, trials: int) -> str:
    """Return a share in percent with its interval."""
    low, high = wilson_interval(round(share * trials), trials)
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main() -> None:
    """Print both shares for so many trials."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=11)
    chosen = parser.parse_args()
    trials, seed = chosen.trials, chosen.seed
    fair = alarms(FAIR, 3000, seed, trials=trials)
    print(f"{trials} trials; fair dice, 3000 read: false alarms {told(fair, trials)}, 5 are to be")
    unfolded = alarms(FAIR, 3000, seed, folded=False, trials=trials)
    print(f"the same without the misreads folded in: {told(unfolded, trials)}")
    for what, dice in (("known", dice_needed(FAIR, TYPICAL)), ("estimated", dice_needed_by_estimates(FAIR, TYPICAL))):
        found = alarms(loaded(FAIR), dice, seed + 3, trials=trials)
        print(
            f"loaded by 20 %, {dice} dice as misreads that are {what} ask for: found {told(found, trials)}, theory 80"
        )


if __name__ == "__main__":
    main()
