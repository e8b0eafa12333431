// Plain dice, which are only counted: nobody wins, there are no scores, and no end but the next game.

/** The name of their game. */
export const PLAIN_DICE = 'dice';
