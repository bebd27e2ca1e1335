/**
 * Fills the window of event ids from the stored events, so that from the first request after a start it is exact, and
 * shared fairly.
 */
import {
  BIGINT,
  BOOLEAN,
  type DuckDBConnection,
  type DuckDBDataChunk,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { EventIdWindow } from '../event-id-window.ts';
import { fairParts, type IdParty } from '../id-shares.ts';
import { COMMIT_COLUMN, EVENT_TABLE } from './event-table.ts';

/** Ids of an earlier version, which stored no senders, count as those of keyed senders. */
const IS_KEYLESS = 'coalesce(is_keyless, false)';
const WEBSITE = `coalesce(website_id, '')`;

/** The hash as `eventIdHash` makes it: 128 bits, of which the lowest are the first bytes. */
const HASH = `md5_number(CASE WHEN ${IS_KEYLESS} THEN 'k' ELSE '' END || coalesce('w' || website_id, 'o' || organization_id) || chr(0) || event_id)`;

const HAS_ID = `"${COMMIT_COLUMN}" >= make_timestamp($1::BIGINT) AND event_id IS NOT NULL`;

/** The parties that sent events with an id, and how many. */
const PARTIES = `SELECT organization_id, ${IS_KEYLESS} AS keyless, ${WEBSITE} AS website, count(*)::INTEGER AS events
FROM ${EVENT_TABLE} WHERE ${HAS_ID} GROUP BY ALL`;

/**
 * How many of them came in each minute, the latest first. Uses integers: a cast of `epoch` could round up to the next
 * minute.
 */
const MINUTES = `SELECT organization_id, ${IS_KEYLESS} AS keyless, epoch_us("${COMMIT_COLUMN}") // 60_000_000 AS minute, count(*)::INTEGER
FROM ${EVENT_TABLE} WHERE ${HAS_ID} GROUP BY ALL ORDER BY minute DESC`;

/** The ids, each with the number of its party, from each party's own starting instant on. */
const IDS = `SELECT (id & 4294967295)::UINTEGER, ((id >> 32) & 4294967295)::UINTEGER, ((id >> 64) & 4294967295)::UINTEGER, came, party
FROM (SELECT ${HASH} AS id, (epoch_us("${COMMIT_COLUMN}") // 1_000_000)::UINTEGER AS came, parties.number::UINTEGER AS party
FROM ${EVENT_TABLE} JOIN (SELECT unnest($2) AS organization, unnest($3) AS keyless, unnest($4) AS website,
  unnest($5) AS since, unnest(range(len($2))) AS number) AS parties
ON organization_id = parties.organization AND ${IS_KEYLESS} = parties.keyless AND ${WEBSITE} = parties.website
WHERE ${HAS_ID} AND "${COMMIT_COLUMN}" >= make_timestamp(parties.since) ORDER BY "${COMMIT_COLUMN}")`;

/** A party with the number of its ids. */
interface PartyCount extends IdParty {
  readonly events: number;
}

/**
 * Adds the ids that came at `earliest` (milliseconds) or later; if they do not all fit, the newest of each party. Five
 * million take about eight seconds of one processor.
 */
export async function loadEventIds(
  connection: DuckDBConnection,
  window: EventIdWindow,
  earliest: number,
): Promise<void> {
  const parties = await partiesSince(connection, earliest);
  if (parties.length === 0) return;
  const starts = await startsOf(connection, parties, earliest, window.size);
  const result = await connection.stream(
    IDS,
    [
      BigInt(earliest) * 1_000n,
      listValue(parties.map(({ organizationId }) => organizationId)),
      listValue(parties.map(({ isKeyless }) => isKeyless)),
      listValue(parties.map(({ websiteId }) => websiteId ?? '')),
      listValue(parties.map((party) => BigInt(starts.get(groupOf(party)) ?? earliest) * 1_000n)),
    ],
    [BIGINT, LIST(VARCHAR), LIST(BOOLEAN), LIST(VARCHAR), LIST(BIGINT)],
  );
  for (;;) {
    const chunk = await result.fetchChunk();
    if (!chunk || chunk.rowCount === 0) return;
    addAll(chunk, window, parties);
  }
}

async function partiesSince(connection: DuckDBConnection, earliest: number): Promise<PartyCount[]> {
  const reader = await connection.runAndReadAll(PARTIES, [BigInt(earliest) * 1_000n]);
  return reader.getRows().map(([organization, keyless, website, events]) => ({
    organizationId: String(organization),
    isKeyless: keyless === true,
    websiteId: website === '' ? null : String(website),
    events: Number(events),
  }));
}

/** The keyed or the keyless ids of an organization. */
function groupOf({ organizationId, isKeyless }: Pick<IdParty, 'organizationId' | 'isKeyless'>): string {
  return `${isKeyless ? 'k' : ''}o${organizationId}`;
}

/**
 * When there are more ids than fit: the instant from which on each group's ids are loaded, as many as the group may
 * keep. The window itself leaves out what is too much; here this only avoids reading a whole flood.
 */
async function startsOf(
  connection: DuckDBConnection,
  parties: readonly PartyCount[],
  earliest: number,
  size: number,
): Promise<ReadonlyMap<string, number>> {
  const starts = new Map<string, number>();
  if (parties.reduce((sum, { events }) => sum + events, 0) <= size) return starts;
  const wanted = partsOf(parties, size);
  const minutes = await connection.runAndReadAll(MINUTES, [BigInt(earliest) * 1_000n]);
  for (const [organization, keyless, minute, count] of minutes.getRows()) {
    const group = groupOf({ organizationId: String(organization), isKeyless: keyless === true });
    const left = wanted.get(group) ?? 0;
    if (left <= 0) continue;
    wanted.set(group, left - Number(count));
    starts.set(group, Math.max(earliest, Number(minute) * 60_000));
  }
  return starts;
}

/** How many ids each group may keep: a fair share for each organization, and within it for keyed and for keyless ids. */
function partsOf(parties: readonly PartyCount[], size: number): Map<string, number> {
  const organizations = new Map<string, Map<boolean, number>>();
  for (const { organizationId, isKeyless, events } of parties) {
    const groups = organizations.get(organizationId) ?? new Map<boolean, number>();
    organizations.set(organizationId, groups.set(isKeyless, (groups.get(isKeyless) ?? 0) + events));
  }
  const sums = [...organizations.values()].map((groups) => [...groups.values()].reduce((a, b) => a + b, 0));
  const ofOrganizations = fairParts(size, sums);
  const parts = new Map<string, number>();
  for (const [index, [organizationId, groups]] of [...organizations].entries()) {
    const ofGroups = fairParts(ofOrganizations[index] ?? 0, [...groups.values()]);
    for (const [place, isKeyless] of [...groups.keys()].entries()) {
      parts.set(groupOf({ organizationId, isKeyless }), ofGroups[place] ?? 0);
    }
  }
  return parts;
}

function addAll(chunk: DuckDBDataChunk, window: EventIdWindow, parties: readonly IdParty[]): void {
  const columns = [0, 1, 2, 3, 4].map((index) => chunk.getColumnVector(index));
  const value = (column: number, row: number) => Number(columns[column]?.getItem(row) ?? 0);
  for (let row = 0; row < chunk.rowCount; row++) {
    const party = parties[value(4, row)];
    if (party) window.addWords(value(0, row), value(1, row), value(2, row), value(3, row), party);
  }
}
