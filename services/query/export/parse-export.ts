/** Reads what an export asks for from its query string, and reports every fault at once. */
import { z } from 'zod';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { readRange } from '../custom/date-range.ts';
import { createFaults } from '../stages/faults.ts';
import { nameFields, onceText } from '../stages/names.ts';
import { notOneOf } from '../stages/wording.ts';
import { createZones } from '../stages/zones.ts';
import type { TimeRange } from '../time/buckets.ts';

/** How many events one answer has at most. */
export const MAX_EXPORTED = 100_000;

export const EXPORT_FORMATS = ['ndjson', 'parquet'] as const;

const DATE = 'YYYY-MM-DD, or an ISO 8601 date-time; without offset it is meant in the timezone.';
const { website_id, websiteId, timezone, timeZone } = nameFields;
const limitText = onceText().regex(/^[1-9]\d{0,5}$/, `A whole number from 1 to ${MAX_EXPORTED}.`);

export const exportSchema = z.strictObject({
  website_id: website_id.describe('Export this website; without it, the whole organization.'),
  websiteId,
  start_date: onceText().optional().describe(`Required. ${DATE}`),
  startDate: onceText().optional().describe('The same as start_date.'),
  end_date: onceText()
    .optional()
    .describe('Required. An end day is inclusive, an end date-time is that instant.'),
  endDate: onceText().optional().describe('The same as end_date.'),
  timezone,
  timeZone,
  limit: limitText
    .refine((text) => Number(text) <= MAX_EXPORTED, `A whole number from 1 to ${MAX_EXPORTED}.`)
    .optional()
    .describe(`Events of this answer, 1 to ${MAX_EXPORTED}, which is the default.`),
  format: z
    .enum(EXPORT_FORMATS, { error: notOneOf(EXPORT_FORMATS) })
    .optional()
    .describe('ndjson, the default: lines of JSON; parquet: a file with all columns.'),
  cursor: onceText()
    .min(1)
    .max(256)
    .optional()
    .describe('nextCursor, or X-Next-Cursor, of the answer before, whatever its format.'),
});

type Fields = z.output<typeof exportSchema>;

export interface ParsedExport {
  /** Undefined: the whole organization. */
  readonly websiteId: string | undefined;
  readonly range: TimeRange;
  readonly limit: number;
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly cursor: string | undefined;
}

/** @throws ApiError VALIDATION_ERROR or INVALID_DATE_RANGE */
export function parseExport(query: QueryParameters): ParsedExport {
  const faults = createFaults();
  const checked = exportSchema.safeParse(query, OUR_WORDING);
  if (!checked.success) faults.addIssues(checked.error.issues, '', { '': Object.keys(exportSchema.shape) });
  faults.throwIfAny();
  const fields = checked.data as Fields;
  const either = (name: keyof Fields, alias: keyof Fields) => {
    const [own, other] = [fields[name], fields[alias]];
    if (own !== undefined && other !== undefined && own !== other)
      faults.add(name, `${name} and ${alias} have different values.`);
    return own ?? other;
  };
  const website = either('website_id', 'websiteId');
  const zoneName = either('timezone', 'timeZone');
  const start = either('start_date', 'startDate');
  const end = either('end_date', 'endDate');
  if (start === undefined) faults.add('start_date', 'An export needs the first day of its range.');
  if (end === undefined) faults.add('end_date', 'An export needs the last day of its range.');
  const zone = createZones(faults)(
    zoneName === undefined ? undefined : { text: zoneName, field: 'timezone' },
  );
  const dates = { start: field('start_date', start), end: field('end_date', end) };
  const { from, to } = readRange(dates.start, dates.end, zone, faults);
  faults.throwIfAny();
  if (from === null || to === null) throw new Error('A range without faults has both ends.');
  return {
    websiteId: website,
    range: { from, to },
    limit: fields.limit === undefined ? MAX_EXPORTED : Number(fields.limit),
    format: fields.format ?? 'ndjson',
    cursor: fields.cursor,
  };
}

function field(name: string, text: string | undefined) {
  return text === undefined ? null : { field: name, text };
}
