/** Filters on the wire, single or in groups: read by hand, so that faults name their place and long lists cost nothing. */
import { z } from 'zod';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { tooLong } from '../../shared/text/faulty-text.ts';
import { faultOfPattern } from '../../shared/text/pattern.ts';
import {
  COMPARISONS,
  type FilterOperator,
  type FilterSubject,
  filterFields,
  filterSchema,
  MAX_FILTERS,
  PRESENCE,
} from './filter-schema.ts';
import type { FilterScalar } from './filter-value.ts';
import { shownName } from './unknown-names.ts';

/** How deep groups may stand in groups. */
export const MAX_GROUP_DEPTH = 3;

/** A single filter: `field` as the client wrote it, values as text; without values: missing, present. */
export interface RequestedTest {
  readonly field: string;
  readonly op: FilterOperator;
  readonly values: readonly string[];
  readonly of: FilterSubject;
}

/** A filter of a request: a single one, or a group. */
export type RequestedFilter = FilterTree<RequestedTest>;

/** A single filter, the complement of a filter, or what any or all of some filters keep. */
export type FilterTree<Test> =
  | Test
  | { readonly not: FilterTree<Test> }
  | { readonly any: readonly FilterTree<Test>[] }
  | { readonly all: readonly FilterTree<Test>[] };

/** How many single filters there are, over all groups. */
export function countSingle(filters: readonly RequestedFilter[]): number {
  const counts = filters.map((filter): number => {
    if ('not' in filter) return countSingle([filter.not]);
    if ('any' in filter) return countSingle(filter.any);
    return 'all' in filter ? countSingle(filter.all) : 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

const GROUPS = ['any', 'all', 'not'] as const;
type Path = readonly (string | number)[];

/** Where groups can be: the place of a fault, without indices. */
export const FILTER_PLACES: readonly string[] = placesBelow('filters', MAX_GROUP_DEPTH);

function placesBelow(place: string, depth: number): string[] {
  const below = depth === 0 ? [] : GROUPS.flatMap((group) => placesBelow(`${place}.${group}`, depth - 1));
  return [place, ...below];
}

const ANY_FILTER = { type: 'object', description: 'A filter or a group, as in filters.' } as const;
const MEMBERS = { type: 'array', minItems: 1, maxItems: MAX_FILTERS, items: ANY_FILTER } as const;

function groupShape(name: string, of: object, description: string) {
  return {
    type: 'object' as const,
    description,
    properties: { [name]: of },
    required: [name],
    additionalProperties: false as const,
  };
}

const { $schema: _, ...singleShape } = z.toJSONSchema(z.strictObject(filterFields), { io: 'input' });

/** The filters of a request. */
export const filtersSchema = z
  .array(
    z.unknown().meta({
      anyOf: [
        {
          ...singleShape,
          required: ['field'],
          anyOf: [{ required: ['op'] }, { required: ['operator'] }],
        } as object,
        groupShape('any', MEMBERS, 'Keeps what at least one of its filters keeps.'),
        groupShape('all', MEMBERS, 'Keeps what all of its filters keep.'),
        groupShape('not', ANY_FILTER, 'Keeps what its filter does not keep.'),
      ],
      description: `A filter, or a group of filters: at most ${MAX_FILTERS} over all groups, which may stand ${MAX_GROUP_DEPTH} deep.`,
    }),
  )
  .max(MAX_FILTERS, `At most ${MAX_FILTERS} filters.`)
  .transform((list, { issues }): RequestedFilter[] => {
    const reader = createReader((issue) => issues.push(issue as z.core.$ZodRawIssue));
    return list.flatMap((value, index) => reader(value, [index], 0));
  });

/** An issue of a schema, or one of ours. */
type Issue = { readonly path: Path; readonly message: string };

/** Returns nothing for what has a fault, and looks at nothing beyond the filters that are allowed. */
function createReader(add: (issue: object) => void) {
  let singles = 0;
  const fault = ({ path, message }: Issue): [] => {
    add({ code: 'custom', path: [...path], message, input: undefined });
    return [];
  };

  function read(value: unknown, path: Path, depth: number): RequestedFilter[] {
    const group = groupOf(value);
    if (group === undefined) return readSingle(value, path);
    const { name, content, other } = group;
    if (depth >= MAX_GROUP_DEPTH) {
      return fault({ path, message: `Groups may stand ${MAX_GROUP_DEPTH} deep, not deeper.` });
    }
    if (other !== undefined) {
      return fault({ path: [...path, shownName(other)], message: `Nothing may stand beside ${name}.` });
    }
    const place = [...path, name];
    if (name === 'not') {
      const [filter] = read(content, place, depth + 1);
      return filter ? [{ not: filter }] : [];
    }
    if (!Array.isArray(content) || content.length === 0) {
      singles += 1;
      return fault({ path: place, message: `Must be a list of 1 to ${MAX_FILTERS} filters.` });
    }
    if (content.length > MAX_FILTERS) {
      return fault({ path: place, message: tooLong('filters', MAX_FILTERS, content.length) });
    }
    const members = content.flatMap((member, index) => read(member, [...place, index], depth + 1));
    return [name === 'any' ? { any: members } : { all: members }];
  }

  function readSingle(value: unknown, path: Path): RequestedFilter[] {
    singles += 1;
    if (singles === MAX_FILTERS + 1) {
      fault({ path: [], message: `At most ${MAX_FILTERS} filters over all groups.` });
    }
    if (singles > MAX_FILTERS) return [];
    const takesNone = withoutValue(value);
    if (takesNone?.came) {
      return fault({ path: [...path, 'value'], message: `The operator ${takesNone.op} takes no value.` });
    }
    // It takes none, and the schema wants one.
    const result = filterSchema.safeParse(
      takesNone ? { ...(value as object), value: '' } : value,
      OUR_WORDING,
    );
    if (!result.success) {
      for (const issue of result.error.issues) add({ ...issue, path: [...path, ...issue.path] });
      return [];
    }
    const { field, op, value: given } = result.data;
    const wrong = faultOfValue(op, given);
    if (wrong !== null) return fault({ path: [...path, 'value'], message: wrong });
    const { of = 'event' } = value as { of?: FilterSubject };
    const values = takesNone ? [] : (Array.isArray(given) ? given : [given]).map(String);
    return [{ field, op, values, of }];
  }

  return read;
}

/** The group that a value is, with a name that stands beside it; undefined: it is none. */
function groupOf(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const name = GROUPS.find((group) => Object.hasOwn(value, group));
  if (name === undefined) return undefined;
  const content: unknown = (value as Readonly<Record<string, unknown>>)[name];
  return { name, content, other: Object.keys(value).find((key) => key !== name) };
}

/** Of a filter whose operator takes no value: the operator, and whether a value came all the same. */
function withoutValue(value: unknown): { readonly op: string; readonly came: boolean } | null {
  if (typeof value !== 'object' || value === null) return null;
  const { op, operator, value: given } = value as Readonly<Record<string, unknown>>;
  const named = op ?? operator;
  const found = PRESENCE.find((presence) => presence === named);
  return found === undefined ? null : { op: found, came: given !== undefined };
}

/** What is wrong with the value of an operator that wants more than a text, or null. */
function faultOfValue(op: FilterOperator, value: FilterScalar | FilterScalar[]): string | null {
  if ((COMPARISONS as readonly string[]).includes(op)) {
    return typeof value === 'number' ? null : `The operator ${op} takes a number.`;
  }
  return op === 'matches' ? faultOfPattern(value) : null;
}
