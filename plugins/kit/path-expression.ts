/** Regular expressions over paths that never backtrack: matching one takes time in proportion to the path, whatever it holds. */

/**
 * What is refused makes an engine try several ways to read the same path, which is how a short path keeps a processor
 * busy for hours: quantified groups, back references, look-arounds, and a repeated character that may also be the next.
 */

/** Characters by code, as Node hands paths on: one for each byte. */
type CharacterSet = Uint8Array;
const CODES = 256;

/** One character of the expression, and how often it comes. */
interface Atom {
  readonly kind: 'atom';
  readonly text: string;
  readonly set: CharacterSet;
  readonly isOptional: boolean;
  readonly isVariable: boolean;
}

/** Texts of which one comes. */
interface Choice {
  readonly kind: 'choice';
  readonly branches: readonly Atom[][];
}

type Item = Atom | Choice;

/** Every choice multiplies the ways to read a path. */
const MOST_WAYS = 64;
const LONGEST_SOURCE = 500;
const MOST_GROUPS = 9;

/** An expression that cannot be used; its message says why. */
class ExpressionFault extends Error {}

export interface PathExpression {
  /** How many groups it has. */
  readonly groups: number;
  /** The texts of its groups; null where the path as a whole is another. */
  match(path: string): readonly string[] | null;
}

/** What is wrong with an expression; null: nothing. */
export function pathExpressionFault(source: string): string | null {
  try {
    compilePathExpression(source);
    return null;
  } catch (fault) {
    if (fault instanceof ExpressionFault) return fault.message;
    throw fault;
  }
}

/** An expression for whole paths; `^` and `$` around it say nothing new. @throws Error for what {@link pathExpressionFault} refuses */
export function compilePathExpression(source: string): PathExpression {
  if (source.length > LONGEST_SOURCE)
    throw new ExpressionFault(`is longer than ${LONGEST_SOURCE} characters`);
  const inner = source.replace(/^\^/, '').replace(/(?<!\\)\$$/, '');
  const reader = new Reader(inner);
  const items = reader.items();
  if (reader.groups > MOST_GROUPS) throw new ExpressionFault(`has more than ${MOST_GROUPS} groups`);
  requireOneWay(items);
  const expression = regExpOf(inner);
  return {
    groups: reader.groups,
    match(path) {
      const found = expression.exec(path);
      return found === null ? null : found.slice(1).map((text) => text ?? '');
    },
  };
}

/** @throws ExpressionFault for what no engine reads, such as `a{5,3}` */
function regExpOf(inner: string): RegExp {
  try {
    return new RegExp(`^(?:${inner})$`);
  } catch (fault) {
    throw new ExpressionFault(`is no expression: ${(fault as Error).message}`);
  }
}

/** Reads the part of the syntax that is allowed. */
class Reader {
  readonly #text: string;
  #at = 0;
  groups = 0;

  constructor(text: string) {
    this.#text = text;
  }

  items(): Item[] {
    const items: Item[] = [];
    while (this.#at < this.#text.length) items.push(...this.#item());
    return items;
  }

  #item(): Item[] {
    if (this.#text[this.#at] !== '(') return [this.#atom()];
    this.#at++;
    if (this.#text.startsWith('?:', this.#at)) this.#at += 2;
    else if (this.#text[this.#at] === '?')
      throw new ExpressionFault('has a group that looks around, or is named');
    else this.groups++;
    const branches: Atom[][] = [[]];
    while (this.#text[this.#at] !== ')') {
      if (this.#at >= this.#text.length) throw new ExpressionFault('has a group without end');
      if (this.#text[this.#at] === '(') throw new ExpressionFault('has a group in a group');
      if (this.#text[this.#at] === '|') {
        this.#at++;
        branches.push([]);
      } else branches.at(-1)?.push(this.#atom());
    }
    this.#at++;
    if (/[*+?{]/.test(this.#text[this.#at] ?? ''))
      throw new ExpressionFault('repeats a group, or makes one optional');
    const [only = []] = branches;
    if (branches.length === 1) return only;
    if (branches.some((branch) => branch.some(({ isVariable }) => isVariable)))
      throw new ExpressionFault('repeats a character within a choice');
    return [{ kind: 'choice', branches }];
  }

  #atom(): Atom {
    const start = this.#at;
    const set = this.#set();
    const counts = /^(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})/.exec(this.#text.slice(this.#at))?.[0] ?? '';
    if (counts.startsWith('{0'))
      throw new ExpressionFault(`repeats by "${counts}"; only from 1 on, or by ? or *`);
    this.#at += counts.length;
    if (/[*+?{]/.test(this.#text[this.#at] ?? '')) throw new ExpressionFault('repeats a repetition');
    const text = this.#text.slice(start, this.#at);
    const isOptional = /^[*?]/.test(counts);
    const isVariable = counts !== '' && !/^\{\d+\}$/.test(counts);
    return { kind: 'atom', text, set, isOptional, isVariable };
  }

  #set(): CharacterSet {
    const character = this.#text[this.#at++] as string;
    if (character === '\\') return this.#escaped();
    if (character === '[') return this.#class();
    if (character === '.') return inverted(setOf('\n\r'));
    if (character === '|') throw new ExpressionFault('has a choice outside a group');
    if ('^$*+?{})]'.includes(character))
      throw new ExpressionFault(`has "${character}" where it means nothing`);
    return this.#literal(character);
  }

  #literal(character: string): CharacterSet {
    if (!/[!-~]/.test(character)) throw new ExpressionFault('holds a character that no path has');
    return setOf(character);
  }

  #escaped(): CharacterSet {
    const character = this.#text[this.#at++] ?? '';
    if (character === 'd') return matching(/\d/);
    if (character === 'w') return matching(/\w/);
    if (/[a-z0-9]/i.test(character) || character === '')
      throw new ExpressionFault(
        `has "\\${character}"; of letters and digits only \\d and \\w may be escaped`,
      );
    return this.#literal(character);
  }

  #class(): CharacterSet {
    const end = /^\^?(?:\\.|[^\\\]])+\]/.exec(this.#text.slice(this.#at))?.[0];
    if (end === undefined || end === '^]')
      throw new ExpressionFault('has a class of characters without content or end');
    const body = end.slice(0, -1);
    if (!/^\^?(?:\\[dw]|\\[^a-zA-Z0-9]|[!-[\]-~])+$/.test(body) || body.includes('['))
      throw new ExpressionFault(`has the class [${body}], whose characters are not all plain`);
    this.#at += end.length;
    try {
      return matching(new RegExp(`[${body}]`));
    } catch {
      throw new ExpressionFault(`has the class [${body}], which is none`);
    }
  }
}

/** @throws ExpressionFault where a repeated character may also be one of those that follow */
function requireOneWay(items: readonly Item[]): void {
  let ways = 1;
  for (const [index, item] of items.entries()) {
    if (item.kind === 'choice') {
      ways *= item.branches.length;
      continue;
    }
    if (!item.isVariable) continue;
    const clash = following(items, index).some((set) => meets(item.set, set));
    if (clash)
      throw new ExpressionFault(
        `may read a path in several ways: what follows "${item.text}" may be part of it; say what it may not hold, such as [^/]+`,
      );
  }
  if (ways > MOST_WAYS) throw new ExpressionFault(`has choices that make more than ${MOST_WAYS} ways`);
}

/** What may come after an item, up to the first that must come. */
function following(items: readonly Item[], index: number): CharacterSet[] {
  const sets: CharacterSet[] = [];
  for (const item of items.slice(index + 1)) {
    if (item.kind === 'atom') {
      sets.push(item.set);
      if (!item.isOptional) return sets;
      continue;
    }
    const firsts = item.branches.map(([first]) => first);
    sets.push(...firsts.flatMap((first) => (first === undefined ? [] : [first.set])));
    if (!firsts.includes(undefined)) return sets;
  }
  return sets;
}

function setOf(characters: string): CharacterSet {
  const set = new Uint8Array(CODES);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

function matching(expression: RegExp): CharacterSet {
  return Uint8Array.from({ length: CODES }, (_, code) =>
    expression.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

function inverted(set: CharacterSet): CharacterSet {
  return set.map((held) => 1 - held);
}

function meets(one: CharacterSet, other: CharacterSet): boolean {
  return one.some((held, code) => held === 1 && other[code] === 1);
}
