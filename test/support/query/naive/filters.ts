/** Filters that property tests generate, and what they mean, said once more by walking over events. */
import fc from 'fast-check';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { ENTRY_FIELDS, entryTextOf } from './attribution.ts';
import { type Events, groupBy, isPageview, referrerHostOf, textAt } from './measures.ts';

/** A single filter, or a group. */
export type FilterNode =
  | Filter
  | { readonly not: FilterNode }
  | { readonly any: readonly FilterNode[] }
  | { readonly all: readonly FilterNode[] };

export interface Filter {
  readonly field: string;
  readonly op: string;
  readonly value?: string | number | readonly string[];
  readonly of?: 'event' | 'session' | 'visitor';
}

const FIELDS = [
  'path',
  'country',
  'referrer',
  'utm_source',
  'device_type',
  'properties.plan',
  'properties.n',
];
const FURTHER = [
  'referrer_host',
  'browser_version',
  'session_id',
  'visitor_id',
  'entry_path',
  'exit_path',
  'channel',
  'session_source',
  'session_utm_medium',
];
const VALUES = ['/', 'DE', 'a', 'pro', 'n', '1', '', 'mobile', '%'];
const FURTHER_VALUES = [...VALUES, 'google.com', 's1', 'v2', '/a', '120', 'direct', 'cpc'];

function singles(fields: readonly string[], values: readonly string[]): fc.Arbitrary<Filter> {
  const one = fc.record({
    field: fc.constantFrom(...fields),
    op: fc.constantFrom('eq', 'ne', 'contains', 'not_contains', 'starts_with'),
    value: fc.constantFrom(...values),
  });
  const many = fc.record({
    field: fc.constantFrom(...fields),
    op: fc.constantFrom('in', 'not_in'),
    value: fc.subarray([...values]),
  });
  return fc.oneof(one, many);
}

/** Single filters of events. */
export const filters = fc.array(singles(FIELDS, VALUES), { minLength: 1, maxLength: 2 });

const allFields = [...FIELDS, ...FURTHER];
const further: fc.Arbitrary<Filter> = fc.oneof(
  singles(allFields, FURTHER_VALUES),
  fc.record({ field: fc.constantFrom(...allFields), op: fc.constantFrom('missing', 'present') }),
  fc.record({
    field: fc.constantFrom(...allFields),
    op: fc.constant('matches'),
    value: fc.constantFrom('^/', 'A', '(?i)a$', '^(pro|s[1-3])$', ''),
  }),
  fc.record({
    field: fc.constantFrom('properties.n', 'properties.plan', 'scroll_depth', 'load_time'),
    op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
    value: fc.constantFrom(0, 0.5, 1, 1.5, 60),
  }),
  fc.record({
    field: fc.constantFrom('scroll_depth', 'interaction_count'),
    op: fc.constantFrom('eq', 'ne'),
    value: fc.constantFrom(0, 0.5, 2),
  }),
);
export const anySingle: fc.Arbitrary<Filter> = fc
  .tuple(further, fc.constantFrom('event', 'session', 'visitor'))
  .map(([filter, of]) => ({ ...filter, of }));

function grouped(inner: fc.Arbitrary<FilterNode>): fc.Arbitrary<FilterNode> {
  const members = fc.array(inner, { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 2, arbitrary: inner },
    { weight: 1, arbitrary: members.map((any) => ({ any })) },
    { weight: 1, arbitrary: members.map((all) => ({ all })) },
    { weight: 1, arbitrary: inner.map((not) => ({ not })) },
  );
}

/** Filters of every kind, in groups to the depth that is allowed. */
export const filterTrees = fc.array(grouped(grouped(grouped(anySingle))), { minLength: 1, maxLength: 2 });

/** What the filters keep of the events of a range. */
export function keptBy(nodes: readonly FilterNode[]): (inRange: Events) => Events {
  return (inRange) => inRange.filter((event) => nodes.every((node) => isKept(event, node, inRange)));
}

function isKept(event: EventRecord, node: FilterNode, inRange: Events): boolean {
  if ('not' in node) return !isKept(event, node.not, inRange);
  if ('any' in node) return node.any.some((each) => isKept(event, each, inRange));
  if ('all' in node) return node.all.every((each) => isKept(event, each, inRange));
  if (node.of === undefined || node.of === 'event') return passes(event, node, inRange);
  const column = node.of === 'session' ? 'session_id' : 'anonymous_id';
  const id = event[column];
  return Boolean(id) && inRange.some((other) => other[column] === id && passes(other, node, inRange));
}

/** Text, number, or null where there is none; undefined: the event belongs to nothing that could have one. */
function shownBy(event: EventRecord, field: string, inRange: Events): string | number | null | undefined {
  const isEntry = ENTRY_FIELDS.includes(field);
  if (isEntry || field === 'entry_path' || field === 'exit_path') {
    const own = groupBy(inRange, ({ session_id }) => session_id ?? '').find(
      ([first]) => Boolean(event.session_id) && first?.session_id === event.session_id,
    );
    if (isEntry) return entryTextOf(own ?? [], field);
    const pages = own?.filter(isPageview) ?? [];
    return pages.length === 0
      ? undefined
      : textAt(pages, field === 'entry_path' ? 'first' : 'last', ({ path }) => path);
  }
  if (field === 'referrer_host') {
    const host = referrerHostOf(event);
    return host === 'Direct' ? null : host;
  }
  if (field === 'visitor_id') return event.anonymous_id;
  if (!field.startsWith('properties.')) return event[field as 'path'];
  const value: unknown = JSON.parse(event.properties ?? '{}')[field.slice('properties.'.length)];
  if (value === undefined || value === null) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
}

function passes(event: EventRecord, { field, op, value }: Filter, inRange: Events): boolean {
  const found = shownBy(event, field, inRange);
  if (found === undefined) return false;
  if (typeof value === 'number') return passesNumber(found, op, value);
  const text = found === null ? null : String(found);
  if (op === 'missing') return !text;
  if (op === 'present') return Boolean(text);
  if (Array.isArray(value)) return (text !== null && value.includes(text)) === (op === 'in');
  return passesText(text, op, String(value));
}

function passesText(text: string | null, op: string, value: string): boolean {
  switch (op) {
    case 'eq':
      return text === value;
    case 'ne':
      return text !== value;
    case 'contains':
      return text?.includes(value) === true;
    case 'not_contains':
      return text?.includes(value) !== true;
    case 'matches': {
      const [, insensitive, pattern = ''] = /^(\(\?i\))?(.*)$/.exec(value) ?? [];
      return text !== null && new RegExp(pattern, insensitive ? 'i' : '').test(text);
    }
    default:
      return text?.startsWith(value) === true;
  }
}

function passesNumber(found: string | number | null, op: string, value: number): boolean {
  if (op === 'ne') return found !== value;
  if (typeof found !== 'number') return false;
  switch (op) {
    case 'gt':
      return found > value;
    case 'gte':
      return found >= value;
    case 'lt':
      return found < value;
    case 'lte':
      return found <= value;
    default:
      return found === value;
  }
}
