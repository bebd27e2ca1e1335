/**
 * Feeds: lists that are read again and again, each answer with what came since the one before. Which rows were given
 * stands in a cursor that the client keeps, so that neither the order of arrival nor the process that answers matters.
 */
import { createHash } from 'node:crypto';
import type { Dataset } from '../catalogue/dataset.ts';
import type { ParsedRequest } from './parse.ts';
import type { FeedPlan, QueryPlan, Refusal } from './query-plan.ts';

/** How many given rows a cursor tells apart; what is older than the oldest of them is never given again. */
export const MOST_GIVEN = 500;

/** Bytes of an identity: that a new row is taken for a given one is unlikelier than 10⁻¹¹. */
const IDENTITY_BYTES = 6;
const INSTANT_BYTES = 6;
const DIGEST_BYTES = 6;
const GIVEN_BYTES = IDENTITY_BYTES + INSTANT_BYTES;
const HEAD_BYTES = DIGEST_BYTES + INSTANT_BYTES;

/** A row as the client gets it. */
type Row = Readonly<Record<string, unknown>>;

/** The plan of a list as that of a feed: from where it goes on, with what was given; or why that is not possible. */
export function asFeed(
  plan: QueryPlan,
  request: ParsedRequest,
  { names, feed }: Dataset,
): QueryPlan | Refusal {
  const own = (['sortBy', 'sortOrder', 'search'] as const).find((name) => request[name] !== undefined);
  if (own !== undefined || request.page > 1) {
    return { refused: `The dataset "${names[0]}" has an order of its own; it takes no ${own ?? 'page'}.` };
  }
  const digest = hashed(JSON.stringify([names[0], plan.reach, plan.filters]), DIGEST_BYTES);
  const cursor = feed && plan.arguments[feed.argument];
  if (cursor === undefined) {
    return { ...plan, feed: { digest, goesOn: false, given: new Map(), take: plan.limit } };
  }
  const position = readCursor(String(cursor), digest);
  if (position === null) {
    return { refused: `No cursor of "${names[0]}" about these events and filters; ask without one.` };
  }
  const from = Math.max(plan.range.from, position.from);
  const given = new Map([...position.given].filter(([, instant]) => instant >= from));
  return {
    ...plan,
    range: { ...plan.range, from },
    feed: { digest, goesOn: true, given, take: plan.limit },
    // Those that came first are given first, so that none is left behind when there are more than fit.
    order: plan.order.map(({ key, direction }) => ({ key, direction: direction === 'asc' ? 'desc' : 'asc' })),
    limit: plan.limit + given.size,
  };
}

type Position = Pick<FeedPlan, 'given'> & { readonly from: number };

function readCursor(cursor: string, digest: string): Position | null {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor || bytes.length < HEAD_BYTES) return null;
  if ((bytes.length - HEAD_BYTES) % GIVEN_BYTES !== 0) return null;
  if (bytes.toString('hex', 0, DIGEST_BYTES) !== digest) return null;
  const given = new Map<string, number>();
  for (let at = HEAD_BYTES; at < bytes.length; at += GIVEN_BYTES) {
    const identity = bytes.toString('hex', at, at + IDENTITY_BYTES);
    given.set(identity, bytes.readUIntBE(at + IDENTITY_BYTES, INSTANT_BYTES));
  }
  return { from: bytes.readUIntBE(DIGEST_BYTES, INSTANT_BYTES), given };
}

/** The rows that were not given, the latest first. `rows`: the oldest first where the feed goes on. */
export function newRows<R extends Row>(feed: FeedPlan, rows: Iterable<R>): R[] {
  const found: R[] = [];
  for (const [row, identity] of identified(rows)) {
    if (found.length === feed.take) break;
    if (!feed.given.has(identity)) found.push(row);
  }
  return feed.goesOn ? found.reverse() : found;
}

/** The cursor behind the answer with these new rows. */
export function cursorBehind({ range, columns, feed }: QueryPlan, rows: readonly Row[]): string | undefined {
  if (!feed) return undefined;
  const column = columns.find(({ value }) => value.from === 'instant')?.name ?? '';
  const instantOf = (row: Row | undefined) => Date.parse(String(row?.[column]));
  const given = new Map(feed.given);
  for (const row of rows) given.set(nextIdentity(row, given), instantOf(row));
  const isCut = !feed.goesOn && rows.length === feed.take;
  const latestFirst = [...given].sort(([, one], [, other]) => other - one);
  const [, beyond = range.from - 1] = latestFirst[MOST_GIVEN] ?? [];
  // A cursor has no signs, and there are no events before the epoch.
  const from = Math.max(0, range.from, isCut ? instantOf(rows.at(-1)) : range.from, beyond + 1);
  const kept = latestFirst.filter(([, instant]) => instant >= from);
  const bytes = Buffer.alloc(HEAD_BYTES + kept.length * GIVEN_BYTES);
  bytes.write(feed.digest, 0, 'hex');
  bytes.writeUIntBE(from, DIGEST_BYTES, INSTANT_BYTES);
  for (const [index, [identity, instant]] of kept.entries()) {
    const at = HEAD_BYTES + index * GIVEN_BYTES;
    bytes.write(identity, at, 'hex');
    bytes.writeUIntBE(instant, at + IDENTITY_BYTES, INSTANT_BYTES);
  }
  return bytes.toString('base64url');
}

/** The identity of a new row: the first number among those alike that was not given. */
function nextIdentity(row: Row, given: ReadonlyMap<string, number>): string {
  const content = JSON.stringify(row);
  for (let number = 0; ; number++) {
    const identity = identityOf(content, number);
    if (!given.has(identity)) return identity;
  }
}

/** Rows with what tells each from all others: its content, and its number among those alike. */
function* identified<R extends Row>(rows: Iterable<R>): Generator<readonly [R, string]> {
  const alike = new Map<string, number>();
  for (const row of rows) {
    const content = JSON.stringify(row);
    const number = alike.get(content) ?? 0;
    alike.set(content, number + 1);
    yield [row, identityOf(content, number)];
  }
}

function identityOf(content: string, number: number): string {
  return hashed(`${number} ${content}`, IDENTITY_BYTES);
}

function hashed(text: string, bytes: number): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * bytes);
}
