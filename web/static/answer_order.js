// Which answers to show where requests for the same thing overlap: an older answer may arrive after a newer one.

/** The order in which something was asked for that is shown in one place. */
export class AnswerOrder {
  #asked = 0;
  #shown = 0;

  /**
   * Resolve to the answer, or to undefined where the answer of a later request was given before it.
   * @template Answer @param {Promise<Answer>} request @returns {Promise<Answer | undefined>}
   */
  async look(request) {
    const turn = (this.#asked += 1);
    const answer = await request;
    if (turn < this.#shown) return undefined;
    this.#shown = turn;
    return answer;
  }

  /**
   * Resolve to the answer of a request that changes what is shown: what was asked for before this answer is older.
   * @template Answer @param {Promise<Answer>} request @returns {Promise<Answer>}
   */
  async change(request) {
    const answer = await request;
    this.#shown = this.#asked += 1;
    return answer;
  }
}
