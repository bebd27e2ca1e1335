/** Matches of events that property tests generate, and what they mean, said once more by walking over events. */
import fc from 'fast-check';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { isPageview } from './measures.ts';

export type Condition = {
  readonly field: string;
  readonly op: string;
  readonly value?: string | number;
};

export type Match = {
  readonly type: string;
  readonly match: { readonly op: string; readonly value: string | readonly string[] };
  readonly conditions?: readonly Condition[];
};

const conditions: fc.Arbitrary<Condition> = fc.constantFrom(
  { field: 'properties.plan', op: 'eq', value: 'pro' },
  { field: 'properties.plan', op: 'ne', value: 'pro' },
  { field: 'properties.n', op: 'gte', value: 1.5 },
  { field: 'properties.plan', op: 'missing' },
  { field: 'properties.n', op: 'present' },
);

/** Of few events or of many, so that steps overlap. */
export const matches: fc.Arbitrary<Match> = fc.record(
  {
    type: fc.constantFrom('event', 'page'),
    match: fc.constantFrom(
      { op: 'eq', value: 'signup' },
      { op: 'eq', value: '/' },
      { op: 'in', value: ['/', '/a', 'screen_view', 'purchase'] },
      { op: 'contains', value: 'a' },
      { op: 'starts_with', value: '/' },
      { op: 'starts_with', value: 's' },
      { op: 'ends_with', value: 'e' },
      { op: 'matches', value: '^[/p]' },
    ),
    conditions: fc.array(conditions, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['type', 'match'] },
);

export function isMatch(event: EventRecord, { type, match, conditions = [] }: Match): boolean {
  if (type === 'page' && !isPageview(event)) return false;
  const text = type === 'page' ? event.path : event.event_name;
  return text !== null && compares(text, match) && conditions.every((each) => holds(event, each));
}

function compares(text: string, { op, value }: Match['match']): boolean {
  const values = [value].flat();
  const [first = ''] = values;
  switch (op) {
    case 'contains':
      return text.includes(first);
    case 'starts_with':
      return text.startsWith(first);
    case 'ends_with':
      return text.endsWith(first);
    case 'matches':
      return new RegExp(first).test(text);
    default:
      return values.includes(text);
  }
}

function holds(event: EventRecord, { field, op, value }: Condition): boolean {
  const found = propertyOf(event, field.slice('properties.'.length));
  switch (op) {
    case 'eq':
      return found === value;
    case 'ne':
      return found !== value;
    case 'gte':
      return typeof found === 'number' && found >= Number(value);
    case 'missing':
      return found === undefined || found === null || found === '';
    default:
      return found !== undefined && found !== null && found !== '';
  }
}

export function propertyOf({ properties }: EventRecord, key: string): unknown {
  return (JSON.parse(properties ?? '{}') as Record<string, unknown>)[key];
}
