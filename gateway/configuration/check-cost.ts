/** Checks `cost` of an apiEndpoint: what its requests are counted by, themselves or a list in their body. */
import type { LimitCost, LimitRule } from '../../services/shared/plans/plans.ts';
import type { ApiEndpoint } from './configuration.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';

/** `list` is missing where the limits say which one it is. */
export interface DeclaredCost {
  readonly cost: ApiEndpoint['cost'];
  readonly list?: readonly string[];
}

/** The lists that `cost: body` stands for, by what the limit of the endpoint counts. */
const USUAL_LISTS: Readonly<Partial<Record<LimitCost, readonly string[]>>> = {
  datasets: ['parameters'],
  events: [],
};

/** The list of each service of our own that has one, by its audience. */
const LISTS_OF_SERVICES: ReadonlyMap<string, readonly string[]> = new Map([
  ['query', ['parameters']],
  ['tracking', []],
]);

const ALLOWED = ['body', 'a map such as { list: body, of: parameters }'];
/** Names between dots: as deep as a body of a service is read, and no deeper. */
const PATH = /^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_-]{0,63}){0,4}$/;

export function checkCost(cursor: Cursor): DeclaredCost {
  const { value } = cursor;
  if (value === undefined) return { cost: 'request' };
  if (value === 'body') return { cost: 'body' };
  if (!isMap(value)) {
    cursor.report(`${shown(value)} is not a valid cost`, { allowed: ALLOWED, candidates: ['body'] });
    // That fault is told, and not that limits of a body would have none to count.
    return { cost: 'body' };
  }
  cursor.map('map of list and of', ['list', 'of']);
  const list = cursor.at('list');
  if (list.value === undefined) list.report('is missing', { allowed: ['body'], candidates: [] });
  else if (list.value !== 'body') list.report(`${shown(list.value)} holds no list`, { allowed: ['body'] });
  return { cost: 'body', list: checkPath(cursor.at('of')) };
}

function checkPath(of: Cursor): readonly string[] {
  if (of.value === undefined) return [];
  if (typeof of.value === 'string' && PATH.test(of.value)) return of.value.split('.');
  of.report(`${shown(of.value)} leads to no list`, {
    allowed: ['1 to 5 names with dots between them, such as parameters or data.items'],
    candidates: [],
  });
  return [];
}

/** Whether a limit counts what a list of the body holds. */
export function countsList({ cost }: LimitRule): boolean {
  return USUAL_LISTS[cost] !== undefined;
}

/** The list that these limits count; null when none of them counts one, which is a fault where the endpoint names a list. */
export function countedList(
  { list }: DeclaredCost,
  rules: readonly LimitRule[],
  cursor: Cursor,
): readonly string[] | null {
  const counting = rules.find(countsList);
  if (counting) return list ?? USUAL_LISTS[counting.cost] ?? null;
  if (list) {
    cursor.report('names a list, and no limit here counts what one holds', {
      allowed: ['body', ...Object.keys(USUAL_LISTS).map((unit) => `a limit with cost: ${unit} in limits`)],
      candidates: [],
    });
  }
  return null;
}

/** Reports a list that the service of this audience does not read: limits would not see what a call asks for. */
export function reportOtherList(
  cursor: Cursor,
  { countedList: list }: Pick<ApiEndpoint, 'countedList'>,
  audience: string,
): void {
  const read = LISTS_OF_SERVICES.get(audience);
  if (list === null || read === undefined || list.join('.') === read.join('.')) return;
  const own = read.length === 0 ? '{ list: body }' : `{ list: body, of: ${read.join('.')} }`;
  cursor.report(
    `counts another list than the ${audience} service reads, so what a call asks for is not counted; write ${own}`,
    { candidates: [] },
  );
}
