/** What the guard knows while it walks the syntax tree: its position, and what the query has used so far. */
import { VIEWS } from '../views.ts';

/** Bounds of one query's text and tree. */
export const MAX_SQL_BYTES = 16 * 1024;
export const MAX_DEPTH = 120;
export const MAX_TABLES = 24;
export const MAX_NODES = 4_000;

/** A query that may not run; the text names the clause and what is allowed. */
export class RefusedQuery extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'RefusedQuery';
  }
}

/** What a query uses. */
export interface Uses {
  /** Views, in lower case. */
  readonly views: Set<string>;
  /** Every name that may be a column's, in lower case. */
  readonly columns: Set<string>;
  /** Names and aliases of tables: a column reference with such a name returns the whole row. */
  readonly tables: Set<string>;
  readonly parameters: Set<string>;
  /** Whether all columns may be used, because of `*` or a natural join. */
  allColumns: boolean;
  nodes: number;
  tableCount: number;
}

/** The guard's position in the query. */
export interface Place {
  readonly uses: Uses;
  /** The clause, as named in faults. */
  readonly clause: string;
  /** CTE names that are visible here, in lower case. */
  readonly ctes: ReadonlySet<string>;
  readonly depth: number;
}

export type TreeNode = Readonly<Record<string, unknown>>;
/** Judges one field of a node. @throws RefusedQuery */
export type Check = (value: unknown, place: Place) => void;
export type Fields = Readonly<Record<string, Check>>;

/** @throws RefusedQuery that says where, what came, and what is allowed. */
export function refuse(place: Place, what: string, allowed?: string): never {
  throw new RefusedQuery(`${place.clause}: ${what}.${allowed === undefined ? '' : ` Allowed: ${allowed}.`}`);
}

/** Judges every field of a node; an unknown field is refused, so that nothing new slips through. */
export function checkFields(node: TreeNode, fields: Fields, place: Place): void {
  for (const [name, value] of Object.entries(node)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check) check(value, place);
    else refuse(place, `"${name.replaceAll('_', ' ')}" is not allowed`);
  }
}

/** The value as a node, one level deeper. */
export function deeper(value: unknown, place: Place): { readonly node: TreeNode; readonly place: Place } {
  const { uses, depth } = place;
  uses.nodes += 1;
  if (depth >= MAX_DEPTH) refuse(place, `nested more than ${MAX_DEPTH} levels deep`);
  if (uses.nodes > MAX_NODES) refuse(place, `more than ${MAX_NODES} parts in one query`);
  if (!isNode(value)) refuse(place, 'this form is not allowed');
  return { node: value, place: { ...place, depth: depth + 1 } };
}

export function isNode(value: unknown): value is TreeNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value that can do no harm: a flag, a position, a kind already judged. */
export const harmless: Check = (value, place) => {
  const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (!isScalar) refuse(place, 'this form is not allowed');
};

/** Must be empty. `what` names what is not allowed here. */
export function nothing(what: string): Check {
  return (value, place) => {
    const isEmpty =
      value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
    if (!isEmpty) refuse(place, `${what} is not allowed`);
  };
}

/** One of several words. */
export function wordOf(what: string, words: readonly string[]): Check {
  return (value, place) => {
    if (typeof value === 'string' && words.includes(value)) return;
    refuse(place, `the ${what} ${JSON.stringify(value)} is not allowed`, words.filter(Boolean).join(', '));
  };
}

/** A list; `check` judges each element. */
export function each(check: Check): Check {
  return (value, place) => {
    if (!Array.isArray(value)) refuse(place, 'this form is not allowed');
    for (const element of value) check(element, place);
  };
}

/** Empty, or a value that `check` judges. */
export function optional(check: Check): Check {
  return (value, place) => {
    if (value !== null) check(value, place);
  };
}

/** A name that the query defines or uses. */
export const name: Check = (value, place) => {
  if (typeof value !== 'string' || value.length > 256) refuse(place, 'a name is longer than 256 characters');
};

/** Runs `check` in a clause of its own. */
export function inClause(clause: string, check: Check): Check {
  return (value, place) => check(value, { ...place, clause });
}

/** The views, for texts of faults. */
export const VIEW_LIST = Object.keys(VIEWS).join(', ');
