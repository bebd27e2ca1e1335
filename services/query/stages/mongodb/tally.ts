/**
 * Grouping by keys, exactly and without lists of members. What a measure tells apart is a key of the first grouping,
 * so that no document grows with the number of visitors, shards send one document per member, and the server may use its
 * disk. Several things told apart are as many documents per event, each with its `tag`; a tag may also leave out the
 * keys, for totals. Only quantiles gather values: two lists of numbers per group, one number per distinct value, which
 * the server bounds by 100 MB each (some 6 million distinct values) and answers beyond that with an error.
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

/** Rows to make. */
export interface Tally {
  readonly keys: readonly string[];
  readonly measures: NamedMeasures;
  /** Names of measures that are asked for over all groups too. */
  readonly totals?: readonly string[];
  /** How many events or sessions a document stands for; default: one. */
  readonly each?: Expression;
}

/** True in the document that holds the totals of members in place of a row. */
export const IS_TOTAL = 'is_total';

/** How often a member occurs. */
const TIMES = 'n';

/** A member to group by; `total`: without the keys, for this measure. */
interface Tag {
  readonly member: Member;
  readonly total?: string;
}

/** A field that no document has: an accumulator passes over it. */
const ABSENT = '$absent';

/**
 * Stages from documents with the keys and {@link contributions} to rows: keys, measures under the names of rowNames, and
 * where a total is of members one document more, see {@link IS_TOTAL}.
 */
export function tallyStages(tally: Tally): Stage[] {
  const { keys, measures } = tally;
  const tags = tagsOf(tally);
  const plain = accumulators(measures, (name) => field(name));
  if (tags.length === 0) {
    return [{ $group: { _id: keysFrom(keys, ''), ...plain } }, { $project: rowFields(tally, tags) }];
  }
  const sorted = tags.some(({ member }) => member.is === 'value') ? [{ $sort: { '_id.m': 1 } }] : [];
  return [
    ...(tags.length === 1
      ? []
      : [{ $addFields: { tag: literal(tags.map((_, index) => index)) } }, { $unwind: '$tag' }]),
    membersStage(tally, tags),
    ...sorted,
    { $group: { _id: outerKeys(tally, tags), ...plain, ...membersAddedUp(tags) } },
    ...pickStages(tally, tags),
    { $project: rowFields(tally, tags) },
  ];
}

function tagsOf({ measures, totals = [] }: Tally): Tag[] {
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

/** The first grouping: by keys and member. Sums count at the first tag only; the least of repeats is the least. */
function membersStage({ keys, measures, each = 1 }: Tally, tags: readonly Tag[]): Stage {
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

function outerKeys({ keys }: Tally, tags: readonly Tag[]): Record<string, Expression> {
  const totals = tags.flatMap(({ total }, index) => (total === undefined ? [] : [index]));
  const isTotal: Record<string, Expression> =
    totals.length === 0 ? {} : { [IS_TOTAL]: { $in: ['$_id.tag', literal(totals)] } };
  return { ...keysFrom(keys, '_id.'), ...isTotal };
}

/** Of the second grouping: how many members a tag has, or its values with how often they occur, in their order. */
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
function quantilesOf({ measures }: Tally, tags: readonly Tag[]) {
  return measures.flatMap(([name, measure]) => {
    const tag = tags.findIndex(({ member }) => member.is === 'value' && member.measures.includes(name));
    return tag >= 0 && 'percent' in measure ? [{ name, tag, percent: measure.percent }] : [];
  });
}

/** Both neighbours of each quantile, see quantile.ts; null when there is no value. */
function pickStages(tally: Tally, tags: readonly Tag[]): Stage[] {
  const picks: Record<string, Expression> = {};
  for (const { name, tag, percent } of quantilesOf(tally, tags)) {
    const place = {
      $divide: [{ $multiply: [{ $subtract: [field(countField(tag)), 1] }, percent] }, 100],
    };
    picks[rowNames.lower(name)] = pickExpression(tag, { $floor: place });
    picks[rowNames.upper(name)] = pickExpression(tag, { $ceil: place });
  }
  return Object.keys(picks).length === 0 ? [] : [{ $addFields: picks }];
}

/** The value at a place, counted from 0, as `found` beside how many were `seen`. */
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

function rowFields(tally: Tally, tags: readonly Tag[]): Record<string, Expression> {
  const { keys, measures, totals = [] } = tally;
  const fields: Record<string, Expression> = { _id: 0, ...keysFrom(keys, '_id.') };
  for (const [name, measure] of measures) Object.assign(fields, measureFields(name, measure));
  for (const { name, tag } of quantilesOf(tally, tags)) {
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
