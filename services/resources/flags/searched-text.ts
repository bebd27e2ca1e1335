/** A text that many others are searched in: the cost of each depends on its own length, not on that of the text. */

/** How many units are compared one by one before the index is built: most callers need fewer, and never pay for it. */
const UNITS_BEFORE_INDEX = 65_536;

export interface SearchedText {
  /** The same as `text.includes(part)`. */
  contains(part: string): boolean;
}

/**
 * A rule set may hold hundreds of thousands of texts, and a caller may send one that resembles them all; comparing each
 * along all of it would block everybody else's requests. So after some comparisons an index answers.
 */
export function searchedText(text: string, unitsBeforeIndex: number = UNITS_BEFORE_INDEX): SearchedText {
  let compared = 0;
  let steps: Steps | null = null;
  return {
    contains(part) {
      if (steps !== null) return reads(steps, part);
      compared += text.length;
      if (compared > unitsBeforeIndex) steps = stepsOf(text);
      return text.includes(part);
    },
  };
}

/** For each state, the next state by UTF-16 unit; every path from state 0 spells a part of the text. */
type Steps = readonly Map<number, number>[];

function reads(steps: Steps, part: string): boolean {
  let state: number | undefined = 0;
  for (let at = 0; at < part.length; at++) {
    state = steps[state]?.get(part.charCodeAt(at));
    if (state === undefined) return false;
  }
  return true;
}

/** The suffix automaton of `text` (Blumer et al. 1985): at most two states a unit, built in one pass. */
function stepsOf(text: string): Steps {
  const steps: Map<number, number>[] = [new Map()];
  /** The length of the longest part that ends in a state, and the state of its longest suffix that also occurs elsewhere. */
  const lengths = [0];
  const links = [-1];
  const lengthOf = (state: number): number => lengths[state] ?? 0;
  const linkOf = (state: number): number => links[state] ?? -1;
  const add = (step: Map<number, number>, length: number, link: number): number => {
    links.push(link);
    lengths.push(length);
    return steps.push(step) - 1;
  };

  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const next = add(new Map(), lengthOf(last) + 1, 0);
    let state = last;
    for (; state >= 0 && !steps[state]?.has(unit); state = linkOf(state)) steps[state]?.set(unit, next);
    const reached = steps[state]?.get(unit);
    if (reached !== undefined) {
      const length = lengthOf(state) + 1;
      links[next] = reached;
      if (length !== lengthOf(reached)) {
        const copy = add(new Map(steps[reached]), length, linkOf(reached));
        for (; state >= 0 && steps[state]?.get(unit) === reached; state = linkOf(state))
          steps[state]?.set(unit, copy);
        links[reached] = copy;
        links[next] = copy;
      }
    }
    last = next;
  }
  return steps;
}
