/** What the palette finds: every word of what was typed is in the name, those that begin with it first. */

export interface Command {
  readonly path: string;
  readonly text: string;
  /** What tells it from others of the same name. */
  readonly hint?: string;
}

/** Shown at once: what somebody looks for further down is found by typing more. */
const MOST = 12;

export function found(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const nameOf = ({ text, hint = '' }: Command) => `${text} ${hint}`.toLowerCase();
  const matching = commands.filter((each) => words.every((word) => nameOf(each).includes(word)));
  const begins = (each: Command) => (nameOf(each).startsWith(words[0] ?? '') ? 0 : 1);
  return matching.toSorted((one, other) => begins(one) - begins(other)).slice(0, MOST);
}
