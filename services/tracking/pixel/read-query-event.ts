/** Reads an event from a query string, where everything is text: numbers, booleans and properties are parsed from it. */
import { z } from 'zod';
import { MISTAKEN_NAMES } from '../record/website-names.ts';
import { websiteSelectorSchema } from '../record/website-selector.ts';
import { wireEventSchema } from '../record/wire-event.ts';

const { name, ...fields } = wireEventSchema.omit({ websiteId: true, website_id: true }).shape;
const DEFAULT_NAME = 'screen_view';
const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  'timestamp',
  'time_on_page',
  'scroll_depth',
  'interaction_count',
  'page_count',
  'load_time',
  'ttfb',
  'dom_ready_time',
  'render_time',
  'metricValue',
  'lineno',
  'colno',
]);
const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** The parameters: those that name the website, and the fields of an event; validated with the event, so that all faults come at once. */
export const pixelQuerySchema = z.looseObject({
  ...websiteSelectorSchema.shape,
  ...Object.fromEntries(
    Object.entries({ name: name.default(DEFAULT_NAME), ...fields }).map(([field, schema]) => [
      field,
      z
        .unknown()
        .optional()
        .meta({ ...z.toJSONSchema(schema, { io: 'input' }) }),
    ]),
  ),
});

/** What the event may contain: its fields, and the names that validation refuses in every event. */
const READ_FIELDS = [...Object.keys(wireEventSchema.shape), ...MISTAKEN_NAMES];

/** The event of a query string, not yet validated; the website that it names is also the request's. */
export function readQueryEvent(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const event: Record<string, unknown> = { name: DEFAULT_NAME };
  for (const field of READ_FIELDS) {
    const value = query[field];
    if (value === undefined || value === '') continue;
    event[field] = typeof value === 'string' ? fromText(field, value) : value;
  }
  return event;
}

/** The parsed value of the text; text that cannot be parsed stays as received, for validation to refuse. */
function fromText(field: string, value: string): unknown {
  if (NUMBER_FIELDS.has(field) && NUMBER.test(value)) return Number(value);
  if (field === 'anonymizeVisitorIds' && (value === 'true' || value === 'false')) return value === 'true';
  return field === 'properties' ? fromJson(value) : value;
}

function fromJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
