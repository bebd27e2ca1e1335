/** Words for values that are not allowed: what came, and what is allowed. */
import { shown } from './shown.ts';

type Wording = (issue: { readonly input?: unknown }) => string;

export function notOneOf(values: readonly string[]): Wording {
  return ({ input }) => {
    const allowed = `one of ${values.join(', ')}.`;
    return input === undefined ? `Required: ${allowed}` : `${shown(input)} is not ${allowed}`;
  };
}

/** `what` says what is allowed. */
export function notA(what: string): Wording {
  return ({ input }) =>
    input === undefined ? `Required: ${what}.` : `${shown(input)} is not allowed; allowed: ${what}.`;
}
