/**
 * Grouping by keys, exactly and without lists of members. A value that a measure distinguishes is a key of the first
 * grouping, so that no document grows with the number of visitors, shards send one document per member, and the server
 * may use its disk. Several such values make several documents per event, each with its `tag`; a tag may also omit the
 * keys, for totals. Only quantiles gather values: two lists of numbers per group, one number per distinct value. The
 * server bounds each list by 100 MB (some 6 million distinct values) and answers larger ones with an error.
 */
import type { Measure } from '../../catalogue/measure.ts';
import { rowNames } from '../row-names.ts';
import { accumulator, type Member, membersOf, type NamedMeasures } from './contributions.ts';
import {
  type Expression,
  field,
  isGiven,
  literal,
  oneIf,
  orElse,
  orMissing,
  type Stage,
  when,
} from './expressions.ts';

/** The rows to compute. */
export interface Grouping {
  readonly keys: readonly string[];
  readonly measures: NamedMeasures;
  /** Names of measures that are also needed over all groups. */
  readonly totals?: readonly string[];
  /** How many events or sessions a document represents; default: one. */
  readonly each?: Expression;
}

/** True in the document that holds the totals of members instead of a row. */
export const IS_TOTAL = 'is_total';

/** How often a member occurs. */
const TIMES = 'n';

/** A member to group by; `total`: without the keys, for this measure. */
interface Tag {
  readonly member: Member;
  readonly total?: string;
}

/** A field that no document has: an accumulator ignores it. */
const ABSENT = '$absent';

/**
 * Stages from documents with the keys and {@link contributions} to rows: keys, and measures under the names of rowNames.
 * If a total counts members, there is one more document, see {@link IS_TOTAL}.
 */
export function groupStages(grouping: Grouping): Stage[] {
  const { keys, measures } = grouping;
  const tags = tagsOf(grouping);
  const plain = accumulators(measures, (name) => field(name));
  if (tags.length === 0) {
    return [{ $group: { _id: keysFrom(keys, ''), ...plain } }, { $project: rowFields(grouping, tags) }];
  }
  const sorted = tags.some(({ member }) => member.is === 'value') ? [{ $sort: { '_id.m': 1 } }] : [];
  return [
    ...(tags.length === 1
      ? []
      : [{ $addFields: { tag: literal(tags.map((_, index) => index)) } }, { $unwind: '$tag' }]),
    membersStage(grouping, tags),
    ...sorted,
    { $group: { _id: outerKeys(grouping, tags), ...plain, ...membersAddedUp(tags) } },
    ...pickStages(grouping, tags),
    { $project: rowFields(grouping, tags) },
  ];
}

function tagsOf({ measures, totals = [] }: Grouping): Tag[] {
  const members = membersOf(measures);
  const ofTotals = members.flatMap((member) =>
    member.measures.flatMap((name) => (totals.includes(name) ? [{ member, total: name }] : [])),
  );
  return [...members.map((member) => ({ member })), ...ofTotals];
}

function keysFrom(keys: readonly string[], prefix: string): Record<string, Expression> {
  return Object.fromEntries(keys.map((key) => [key, field(prefix + key)]));
}

function accumulators(measures: NamedMeasures, contributed: (name: string) => Expression): Stage {
  const fields: Record<string, unknown> = {};
  for (const [name, measure] of measures) {
    const added = accumulator(measure, contributed(rowNames.measure(name)));
    if (added !== null) fields[rowNames.measure(name)] = added;
  }
  return fields;
}

/** The first grouping: by keys and member. Sums count only at the first tag; the minimum of repeats is the minimum. */
function membersStage({ keys, measures, each = 1 }: Grouping, tags: readonly Tag[]): Stage {
  const several = tags.length > 1;
  const totals = tags.flatMap(({ total }, index) => (total === undefined ? [] : [index]));
  const key = (name: string): Expression =>
    totals.length === 0 ? field(name) : when({ $in: ['$tag', literal(totals)] }, null, field(name));
  const sums = new Set(
    measures.flatMap(([name, { kind }]) =>
      kind === 'count' || kind === 'sum' || kind === 'sessions' ? [rowNames.measure(name)] : [],
    ),
  );
  const once = (name: string): Expression =>
    several && sums.has(name) ? when({ $eq: ['$tag', 0] }, field(name), literal(0)) : field(name);
  const member: Expression = { $arrayElemAt: [tags.map((tag) => field(tag.member.field)), '$tag'] };
  const [first] = tags;
  return {
    $group: {
      _id: {
        ...Object.fromEntries(keys.map((name) => [name, key(name)])),
        ...(several ? { tag: '$tag' } : {}),
        m: orElse(several ? member : field(first?.member.field ?? ''), null),
      },
      ...accumulators(measures, once),
      [TIMES]: { $sum: each },
    },
  };
}

function outerKeys({ keys }: Grouping, tags: readonly Tag[]): Record<string, Expression> {
  const totals = tags.flatMap(({ total }, index) => (total === undefined ? [] : [index]));
  const isTotal: Record<string, Expression> =
    totals.length === 0 ? {} : { [IS_TOTAL]: { $in: ['$_id.tag', literal(totals)] } };
  return { ...keysFrom(keys, '_id.'), ...isTotal };
}

/** For the second grouping: how many members a tag has, or its values in order with how often they occur. */
function membersAddedUp(tags: readonly Tag[]): Stage {
  const fields: Record<string, unknown> = {};
  tags.forEach(({ member, total }, index) => {
    const given = isGiven('$_id.m');
    const here: Expression = tags.length === 1 ? given : { $and: [{ $eq: ['$_id.tag', index] }, given] };
    if (member.is === 'value') {
      fields[valuesField(index)] = { $push: when(here, '$_id.m', ABSENT) };
      fields[timesField(index)] = { $push: when(here, field(TIMES), ABSENT) };
      fields[countField(index)] = { $sum: when(here, field(TIMES), literal(0)) };
    } else if (total !== undefined) fields[rowNames.total(total)] = { $sum: oneIf(here) };
    else for (const name of member.measures) fields[rowNames.measure(name)] = { $sum: oneIf(here) };
  });
  return fields;
}

const valuesField = (tag: number) => `v_${tag}`;
const timesField = (tag: number) => `c_${tag}`;
const countField = (tag: number) => `n_${tag}`;

/** The measures that are quantiles, each with the tag of its values. */
function quantilesOf({ measures }: Grouping, tags: readonly Tag[]) {
  return measures.flatMap(([name, measure]) => {
    const tag = tags.findIndex(({ member }) => member.is === 'value' && member.measures.includes(name));
    return tag >= 0 && 'percent' in measure ? [{ name, tag, percent: measure.percent }] : [];
  });
}

/** Both neighbours of each quantile, see quantile.ts; null when there is no value. */
function pickStages(grouping: Grouping, tags: readonly Tag[]): Stage[] {
  const picks: Record<string, Expression> = {};
  for (const { name, tag, percent } of quantilesOf(grouping, tags)) {
    const place = {
      $divide: [{ $multiply: [{ $subtract: [field(countField(tag)), 1] }, percent] }, 100],
    };
    picks[rowNames.lower(name)] = pickExpression(tag, { $floor: place });
    picks[rowNames.upper(name)] = pickExpression(tag, { $ceil: place });
  }
  return Object.keys(picks).length === 0 ? [] : [{ $addFields: picks }];
}

/** The value at a position, counted from 0, as `found`, along with how many were `seen`. */
function pickExpression(tag: number, place: Expression): Expression {
  const times = orElse({ $arrayElemAt: [field(timesField(tag)), '$$this'] }, 0);
  const seen: Expression = { $add: ['$$value.seen', times] };
  const isHere: Expression = { $and: [{ $lte: ['$$value.seen', place] }, { $gt: [seen, place] }] };
  const value = { $arrayElemAt: [field(valuesField(tag)), '$$this'] };
  return {
    $reduce: {
      input: { $range: [0, { $size: field(valuesField(tag)) }] },
      initialValue: { seen: literal(0), found: null },
      in: { seen, found: when(isHere, value, '$$value.found') },
    },
  };
}

function rowFields(grouping: Grouping, tags: readonly Tag[]): Record<string, Expression> {
  const { keys, measures, totals = [] } = grouping;
  const fields: Record<string, Expression> = { _id: 0, ...keysFrom(keys, '_id.') };
  for (const [name, measure] of measures) Object.assign(fields, measureFields(name, measure));
  for (const { name, tag } of quantilesOf(grouping, tags)) {
    fields[rowNames.lower(name)] = field(`${rowNames.lower(name)}.found`);
    fields[rowNames.upper(name)] = field(`${rowNames.upper(name)}.found`);
    fields[rowNames.values(name)] = field(countField(tag));
  }
  const ofMembers = tags.flatMap(({ total }) =>
    total !== undefined && totals.includes(total) ? [total] : [],
  );
  for (const name of ofMembers) fields[rowNames.total(name)] = field(rowNames.total(name));
  if (ofMembers.length > 0) fields[IS_TOTAL] = field(`_id.${IS_TOTAL}`);
  return fields;
}

function measureFields(name: string, measure: Measure): Record<string, Expression> {
  if ('percent' in measure) return {};
  const as = rowNames.measure(name);
  return { [as]: measure.kind === 'text' ? orMissing(field(`${as}.v`), measure.text) : field(as) };
}
