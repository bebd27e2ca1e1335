/** One line of an import file: an event as POST /track accepts it, under any of its field names, plus the fields that ingest would add. */
import { z } from 'zod';
import { ApiError, type ErrorDetail } from '../../shared/errors/api-error.ts';
import { type ClientTraits, NO_DEVICE, NO_PLACE } from '../client/client-traits.ts';
import { readBy, validateEvents } from '../record/validate-events.ts';
import { wireEventSchema } from '../record/wire-event.ts';
import { text } from '../record/wire-fields.ts';

/** Fields that POST /track takes from the request: an import has no request. */
const enrichedFields = {
  country: z
    .string({ error: 'Expected a country code of two letters.' })
    .regex(/^[A-Za-z]{2}$/, 'Expected a country code of two letters (ISO 3166-1 alpha-2).')
    .transform((code) => code.toUpperCase())
    .nullish(),
  region: text(128).nullish(),
  city: text(128).nullish(),
  browser_name: text(64).nullish(),
  browser_version: text(64).nullish(),
  os_name: text(64).nullish(),
  os_version: text(64).nullish(),
  device_type: z
    .enum(['desktop', 'mobile', 'tablet', 'tv'], { error: 'Expected one of desktop, mobile, tablet, tv.' })
    .nullish(),
  is_bot: z.boolean({ error: 'Expected true or false.' }).nullish(),
  is_keyless: z.boolean({ error: 'Expected true or false.' }).nullish(),
} as const;

const importLineSchema = wireEventSchema.extend(enrichedFields);
export type ImportedEvent = z.infer<typeof importLineSchema>;

const reader = readBy(importLineSchema);

/** Other names of fields: those of the other ingest routes, and the columns of datasets.md. */
const ALIASES: Readonly<Record<string, string>> = {
  eventName: 'name',
  event_name: 'name',
  anonymous_id: 'anonymousId',
  session_id: 'sessionId',
  profile_id: 'profileId',
  event_id: 'eventId',
  metric_name: 'metricName',
  metric_value: 'metricValue',
  error_type: 'errorType',
};

/** POST /track takes an event without one as happening now; events in a file happened earlier. */
const NO_TIMESTAMP: ErrorDetail = {
  field: 'timestamp',
  message:
    'Required: when the event happened, in milliseconds since 1970 or as ISO 8601 text; the time of the import is not it.',
};

/** The event of a line, or its faults. `now` in milliseconds since the epoch. */
export function readImportLine(
  line: string,
  now: number,
): { readonly event: ImportedEvent } | { readonly faults: readonly ErrorDetail[] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { faults: [{ field: 'line', message: 'Is not valid JSON.' }] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { faults: [{ field: 'line', message: 'Expected an event, which is an object with a name.' }] };
  }
  const given: Record<string, unknown> = { ...value };
  for (const [alias, field] of Object.entries(ALIASES)) given[field] ??= given[alias];
  try {
    const [event] = validateEvents(given, reader, now);
    if (event && (event.timestamp ?? null) !== null) return { event };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return {
      faults: (given.timestamp ?? null) === null ? [...thrown.details, NO_TIMESTAMP] : thrown.details,
    };
  }
  return { faults: [NO_TIMESTAMP] };
}

/** The client that sent the event, as far as the line describes it. Only a visitor has a device and a place. */
export function clientOf(event: ImportedEvent): ClientTraits {
  return {
    device: {
      ...NO_DEVICE,
      browser_name: event.browser_name || null,
      browser_version: event.browser_version || null,
      os_name: event.os_name || null,
      os_version: event.os_version || null,
      device_type: event.device_type ?? null,
    },
    place: {
      ...NO_PLACE,
      country: event.country ?? null,
      region: event.region || null,
      city: event.city || null,
    },
    isCrawler: event.is_bot === true,
    isKeyless: Boolean(event.anonymousId),
    trace: '',
  };
}
