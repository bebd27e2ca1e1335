/** Which events a selection names, as a condition of DuckDB. */
import type { EventSelection } from '../../ports/event-store.ts';

/**
 * A condition over the columns of events that is true for those of the selection; for others it is false or null. Its
 * values stand in it, as COPY takes no parameters. @throws TypeError when `before` is no instant
 */
export function selectionSql(selection: EventSelection): string {
  const { organizationId, websiteId, anonymousId, before, profileId, visitors } = selection;
  const conditions = [`organization_id = ${textSql(organizationId)}`];
  if (websiteId !== null) conditions.push(`website_id = ${textSql(websiteId)}`);
  if (anonymousId !== null) conditions.push(`anonymous_id = ${textSql(anonymousId)}`);
  if (profileId === null) conditions.push('profile_id IS NULL');
  else if (profileId !== undefined) conditions.push(`profile_id = ${textSql(profileId)}`);
  if (visitors !== undefined) {
    conditions.push(
      visitors.length === 0 ? 'false' : `anonymous_id IN (${visitors.map(textSql).join(', ')})`,
    );
  }
  if (before !== undefined) {
    if (!Number.isSafeInteger(before)) throw new TypeError(`${before} is no instant`);
    conditions.push(`"timestamp" < epoch_ms(${before}::BIGINT)`);
  }
  return conditions.join(' AND ');
}

/** A literal. No event has a NUL in its texts, and a statement would end there: such a text equals nothing. */
export function textSql(text: string): string {
  return text.includes('\0') ? 'NULL' : `'${text.replaceAll("'", "''")}'`;
}
